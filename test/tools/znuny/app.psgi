# Znuny's two programs that the tests call, kept in memory: as plain CGI each request would load all of its Perl anew.
use strict;
use warnings;

# Znuny ends some requests with exit, which would end the worker.
BEGIN {
    *CORE::GLOBAL::exit = sub { die "exit called\n"; };
}

use CGI;
use CGI::Emulate::PSGI;
use Plack::Builder;
use Kernel::GenericInterface::Provider;
use Kernel::System::ObjectManager;
use Kernel::System::Web::InterfaceAgent;

sub program {
    my ( $script, $run ) = @_;
    return CGI::Emulate::PSGI->handler(
        sub {
            CGI::initialize_globals();
            $ENV{SCRIPT_NAME} = $script;
            local $Kernel::OM = Kernel::System::ObjectManager->new();
            eval { $run->(); 1 } or $@ eq "exit called\n" or die $@;
        }
    );
}

builder {
    mount '/znuny/nph-genericinterface.pl' =>
        program( 'nph-genericinterface.pl', sub { Kernel::GenericInterface::Provider->new()->Run() } );
    mount '/znuny/index.pl' =>
        program( 'index.pl', sub { Kernel::System::Web::InterfaceAgent->new( Debug => 0 )->Run() } );
};
