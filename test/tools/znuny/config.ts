export interface ZnunyConfig {
  readonly home: string;
  readonly port: number;
  readonly databasePort: number;
  readonly smtpPort: number;
  readonly timeZone: string;
}

/**
 * The whole configuration of one instance: it wins over the defaults in the database. Mail goes to `smtpPort`; files are
 * kept in the database, so that a copy of the database is a copy of everything.
 */
export const znunyConfig = ({ home, port, databasePort, smtpPort, timeZone }: ZnunyConfig) => String.raw`
package Kernel::Config;
use strict;
use warnings;
use utf8;
sub Load {
    my $Self = shift;
    $Self->{Home} = '${home}';
    $Self->{DatabaseHost} = '127.0.0.1';
    $Self->{Database} = 'znuny';
    $Self->{DatabaseUser} = 'portage';
    $Self->{DatabasePw} = 'unused';
    $Self->{DatabaseDSN} = 'DBI:Pg:dbname=znuny;host=127.0.0.1;port=${databasePort}';
    $Self->{SecureMode} = 1;
    $Self->{FQDN} = '127.0.0.1:${port}';
    $Self->{HttpType} = 'http';
    $Self->{ScriptAlias} = 'znuny/';
    $Self->{OTRSTimeZone} = '${timeZone}';
    $Self->{LogModule} = 'Kernel::System::Log::File';
    $Self->{'LogModule::LogFile'} = '${home}/var/log/znuny.log';
    $Self->{SendmailModule} = 'Kernel::System::Email::SMTP';
    $Self->{'SendmailModule::Host'} = '127.0.0.1';
    $Self->{'SendmailModule::Port'} = '${smtpPort}';
    $Self->{CheckEmailAddresses} = 0;
    $Self->{CheckMXRecord} = 0;
    return 1;
}
use Kernel::Config::Defaults;
use parent qw(Kernel::Config::Defaults);
1;
`;
