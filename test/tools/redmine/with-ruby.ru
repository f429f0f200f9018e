# Redmine as its own config.ru starts it, and beside it a door through which a test runs Ruby inside it: starting another Rails
# for a line of it takes ten seconds. Only for tests, on loopback, at an address that can't be guessed.
require "/usr/share/redmine/config/environment"
require "stringio"

run_ruby = lambda do |env|
  output = StringIO.new
  before, $stdout = $stdout, output
  begin
    script = env["rack.input"].read.force_encoding("UTF-8")
    Rails.application.executor.wrap { eval(script, TOPLEVEL_BINDING.dup) }
    [200, { "content-type" => "text/plain; charset=utf-8" }, [output.string]]
  rescue Exception => error # also what is no StandardError: the test shall see it
    [500, { "content-type" => "text/plain; charset=utf-8" }, ["#{error.class}: #{error.message}\n#{error.backtrace.first(10).join("\n")}"]]
  ensure
    $stdout = before
  end
end

map("/#{ENV.fetch("PORTAGE_RUBY_DOOR")}") { run run_ruby }
map("/") { run Rails.application }
