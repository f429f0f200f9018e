# Done once in a fresh database: the settings, the web service of the tests, and an agent for the connector.
use strict;
use warnings;
use Kernel::System::ObjectManager;

local $Kernel::OM = Kernel::System::ObjectManager->new();

my ( $file, $name, $login, $password, $admin_password ) = @ARGV;

my $settings = $Kernel::OM->Get('Kernel::System::SysConfig');
$settings->ConfigurationXML2DB( UserID => 1, CleanUp => 1, Force => 1 ) or die 'no settings';
$settings->ConfigurationDeploy(
    Comments    => 'tests',
    AllSettings => 1,
    UserID      => 1,
    Force       => 1,
) or die 'settings are not deployed';
$Kernel::OM->ObjectsDiscard();

my $yaml = ${ $Kernel::OM->Get('Kernel::System::Main')->FileRead( Location => $file ) };
$Kernel::OM->Get('Kernel::System::GenericInterface::Webservice')->WebserviceAdd(
    Name    => $name,
    Config  => $Kernel::OM->Get('Kernel::System::YAML')->Load( Data => $yaml ),
    ValidID => 1,
    UserID  => 1,
) or die 'no web service';

my $users = $Kernel::OM->Get('Kernel::System::User');
$users->SetPassword( UserLogin => 'root@localhost', PW => $admin_password ) or die 'no password';
my $agent = $users->UserAdd(
    UserFirstname => 'Import',
    UserLastname  => 'Account',
    UserLogin     => $login,
    UserPw        => $password,
    UserEmail     => 'import@agents.test',
    ValidID       => 1,
    ChangeUserID  => 1,
) or die 'no agent';
my $groups = $Kernel::OM->Get('Kernel::System::Group');
my %all    = $groups->GroupList( Valid => 1 );
for my $group ( keys %all ) {
    $groups->PermissionGroupUserAdd(
        GID        => $group,
        UID        => $agent,
        Permission => { ro => 1 },
        UserID     => 1,
    ) or die 'no permission';
}
