# What REST2 can't do, done once in a fresh database: run with RT's environment. Prints a token for root.
use strict;
use warnings;
use RT -init;

my $root = RT::CurrentUser->new( RT->SystemUser );
$root->Load('root') or die 'no root';

# One field for the external key of tickets, and one of each type that people use, on every queue.
my @fields = (
    { Name => 'External ID', Type => 'Freeform', MaxValues => 1 },
    { Name => 'Colour', Type => 'Select', MaxValues => 1, Values => [ 'red', 'green', "bl\x{e5}" ] },
    { Name => 'Platforms', Type => 'Select', MaxValues => 0, Values => [ 'Linux', 'macOS', 'Windows' ] },
    { Name => 'Notes', Type => 'Text', MaxValues => 1 },
    { Name => 'Renewal', Type => 'Date', MaxValues => 1 },
    { Name => 'Called at', Type => 'DateTime', MaxValues => 1 },
    { Name => 'Serial numbers', Type => 'Freeform', MaxValues => 0 },
    { Name => 'Address', Type => 'IPAddress', MaxValues => 1 },
);
for my $field (@fields) {
    my $values = delete $field->{Values} || [];
    my $cf = RT::CustomField->new( RT->SystemUser );
    my ( $ok, $message ) = $cf->Create( %$field, LookupType => RT::Ticket->CustomFieldLookupType );
    die $message unless $ok;
    $cf->AddValue( Name => $_ ) for @$values;
    $cf->AddToObject( RT::Queue->new( RT->SystemUser ) );
}

# Agents may do an agent's work.
my $agents = RT::Group->new( RT->SystemUser );
$agents->LoadSystemInternalGroup('Privileged');
my @rights = qw(
    SeeQueue ShowTicket ShowTicketComments CreateTicket ReplyToTicket CommentOnTicket ModifyTicket
    OwnTicket TakeTicket StealTicket Watch SeeCustomField ModifyCustomField
);
$agents->PrincipalObj->GrantRight( Right => $_, Object => RT->System ) for @rights;

my $token = RT::AuthToken->new($root);
my ( $ok, $message, $secret ) = $token->Create( Owner => $root->Id, Description => 'tests' );
die $message unless $ok;
print $secret;
