# What an administrator sets up by hand: kinds, statuses and custom fields. Prints their ids as one line of JSON.
# Mails about the seed are not needed, and cost most of its time.
Setting.notified_events = []

tracker = Tracker.find_or_initialize_by(name: "Incident ⚡")
if tracker.new_record?
  tracker.default_status = IssueStatus.find_by!(name: "New")
  tracker.save!
  tracker.copy_workflow_rules(Tracker.find_by!(name: "Bug"))
  Project.find_each { |project| project.trackers << tracker }
end
held = IssueStatus.find_or_create_by!(name: "Zurückgestellt")
Role.givable.each do |role|
  Tracker.find_each do |each|
    (IssueStatus.all.to_a - [held]).each do |status|
      [[status, held], [held, status]].each do |from, to|
        WorkflowTransition.find_or_create_by!(tracker: each, role: role, old_status: from, new_status: to)
      end
    end
  end
end
external = IssueCustomField.find_by!(name: "External ID")
external.tracker_ids = Tracker.pluck(:id)
external.save!

fields = {
  "Short text" => { field_format: "string" },
  "Long text" => { field_format: "text" },
  "Whole number" => { field_format: "int" },
  "Decimal" => { field_format: "float" },
  "Yes or no" => { field_format: "bool" },
  "Day" => { field_format: "date" },
  "One of" => { field_format: "list", possible_values: ["Rot", "Grün", "日本"] },
  "Some of" => { field_format: "list", multiple: true, possible_values: ["a", "b", "c d"] },
  "Web page" => { field_format: "link" },
  "Person" => { field_format: "user" },
  "Release" => { field_format: "version" },
  "A file" => { field_format: "attachment" }
}
made = fields.map do |name, attributes|
  field = IssueCustomField.find_or_initialize_by(name: name)
  field.attributes = { is_for_all: true, tracker_ids: Tracker.pluck(:id) }.merge(attributes)
  field.save!
  [name, field.id]
end
level = IssueCustomField.find_or_initialize_by(name: "Level")
if level.new_record?
  level.attributes = { field_format: "enumeration", is_for_all: true, tracker_ids: Tracker.pluck(:id) }
  level.save!
  %w[Gold Silber].each_with_index { |name, index| level.enumerations.create!(name: name, position: index + 1) }
end
{ UserCustomField => "Badge", ProjectCustomField => "Cost centre", VersionCustomField => "Code name",
  TimeEntryCustomField => "Billable to" }.each do |kind, name|
  field = kind.find_or_initialize_by(name: name)
  field.attributes = { field_format: "string" }
  field.save!
end
all = CustomField.pluck(:name, :id).to_h
print({ fields: all, gold: level.enumerations.first.id, tracker: tracker.id, held: held.id }.to_json)
