export interface SiteConfig {
  readonly port: number;
  readonly databasePort: number;
  readonly smtpPort: number;
  readonly folder: string;
}

/**
 * The whole configuration of one instance. The notification rules keep their defaults, and mail goes to `smtpPort`.
 * The password hash is cheap, since RT checks it for every call with a token.
 */
export const siteConfig = ({ port, databasePort, smtpPort, folder }: SiteConfig) => String.raw`
Set($rtname, 'tests');
Set($Organization, 'rt.test');
Set($CorrespondAddress, 'rt@rt.test');
Set($CommentAddress, 'rt-comment@rt.test');
Set($WebDomain, '127.0.0.1');
Set($WebPort, ${port});
Set($WebBaseURL, 'http://127.0.0.1:${port}');
Set($Timezone, 'UTC');
Set($DatabaseType, 'Pg');
Set($DatabaseHost, '127.0.0.1');
Set($DatabasePort, '${databasePort}');
Set($DatabaseName, 'rt');
Set($DatabaseUser, 'portage');
Set($DatabasePassword, 'unused');
Set($BcryptCost, 4);
Set($LogToSyslog, undef);
Set($LogToSTDERR, 'error');
Set($MaxAttachmentSize, 200_000_000);
Set($MailCommand, sub {
  my $mail = shift;
  require Net::SMTP;
  require Email::Address;
  my $smtp = Net::SMTP->new('127.0.0.1', Port => ${smtpPort}, Timeout => 10) or return 0;
  $smtp->mail('rt@rt.test');
  $smtp->to($_->address) for map { Email::Address->parse($_) } map { $mail->head->get_all($_) } qw(To Cc Bcc);
  $smtp->data; $smtp->datasend($mail->as_string); $smtp->dataend; $smtp->quit;
  return 1;
});
$RT::MasonDataDir = '${folder}/mason';
$RT::MasonSessionDir = '${folder}/session';
1;
`;
