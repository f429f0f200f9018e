# Fills a fresh Znuny with the data of a real one after some years, by its own modules. Prints the ids as JSON.
use strict;
use warnings;
use utf8;
use MIME::Base64;
use Kernel::System::ObjectManager;

local $Kernel::OM = Kernel::System::ObjectManager->new();
binmode STDOUT, ':encoding(UTF-8)';

my %om = map { $_ => $Kernel::OM->Get("Kernel::System::$_") }
    qw(DB JSON User Group Queue CustomerUser Ticket DynamicField DynamicField::Backend Ticket::Article);
my $tickets = $om{Ticket};
# Events would mail people, write calendars and escalate: the seed needs none of it.
$tickets->{EventHandlerInit} = undef;
my $texts = $om{JSON}->Decode( Data => do { local $/; <DATA> } );
my %made;

sub need { my ( $id, $what ) = @_; return $id || die "no $what"; }

# ---- people and queues
my %agents = (
    ana   => [ 'Ana',   'Líma',   'ana@agents.test' ],
    bjorn => [ 'Björn', 'Åström', 'bjorn@agents.test' ],
    chie  => [ '千恵',   '山田',     'chie@agents.test' ],
    gone  => [ 'Gone',  'Agent',  'gone@agents.test' ],
);
my %id_of;
for my $login ( sort keys %agents ) {
    my ( $first, $last, $mail ) = @{ $agents{$login} };
    $id_of{$login} = need(
        $om{User}->UserAdd(
            UserFirstname => $first,
            UserLastname  => $last,
            UserLogin     => $login,
            UserPw        => 'seed-password-1',
            UserEmail     => $mail,
            ValidID       => $login eq 'gone' ? 2 : 1,
            ChangeUserID  => 1,
        ),
        $login
    );
}
my %groups = reverse $om{Group}->GroupList( Valid => 1 );
$om{Group}->PermissionGroupUserAdd(
    GID        => $groups{users},
    UID        => $id_of{$_},
    Permission => { ro => 1, rw => 1 },
    UserID     => 1,
) for sort keys %id_of;

for (
    [ 'jose@customer.test',     'José', 'Ñuñez',       'nunez' ],
    [ 'smith1@customer.test',   'John', 'Smith',       'smith' ],
    [ 'smith2@customer.test',   'John', 'Smith',       'smith' ],
    [ "o'brien_100%",           'Áine', "O'Brien",     'obrien' ],
    )
{
    my ( $login, $first, $last, $company ) = @$_;
    need(
        $om{CustomerUser}->CustomerUserAdd(
            Source         => 'CustomerUser',
            UserFirstname  => $first,
            UserLastname   => $last,
            UserCustomerID => $company,
            UserLogin      => $login,
            UserEmail      => $login =~ /\@/ ? $login : 'obrien@customer.test',
            ValidID        => 1,
            UserID         => 1,
        ),
        $login
    );
}

my %queues;
for my $name ( 'Soporte técnico', 'Soporte técnico::Nivel 2 & más', 'Ventas' ) {
    $queues{$name} = need(
        $om{Queue}->QueueAdd(
            Name            => $name,
            ValidID         => 1,
            GroupID         => $groups{users},
            SystemAddressID => 1,
            SalutationID    => 1,
            SignatureID     => 1,
            FollowUpID      => 1,
            UserID          => 1,
        ),
        $name
    );
}

# ---- dynamic fields of the common types
my $order = 100;
my %fields;
for (
    [ 'Colour',    'Dropdown',    'Ticket', { PossibleValues => { red => 'Red', 'blå' => 'Blå' } } ],
    [ 'Platforms', 'Multiselect', 'Ticket', { PossibleValues => { Linux => 'Linux', macOS => 'macOS' } } ],
    [ 'Notes',     'TextArea',    'Ticket', {} ],
    [ 'CalledAt',  'DateTime',    'Ticket', {} ],
    [ 'Billable',  'Checkbox',    'Ticket', {} ],
    [ 'Mood',      'Text',        'Article', {} ],
    )
{
    my ( $name, $type, $object, $config ) = @$_;
    my $id = need(
        $om{DynamicField}->DynamicFieldAdd(
            Name       => $name,
            Label      => "$name (label)",
            FieldOrder => $order++,
            FieldType  => $type,
            ObjectType => $object,
            Config     => { DefaultValue => '', %$config },
            ValidID    => 1,
            UserID     => 1,
        ),
        $name
    );
    $fields{$name} = $om{DynamicField}->DynamicFieldGet( ID => $id );
}

sub set_field {
    my ( $name, $object, $value ) = @_;
    need(
        $om{'DynamicField::Backend'}->ValueSet(
            DynamicFieldConfig => $fields{$name},
            ObjectID           => $object,
            Value              => $value,
            UserID             => 1,
        ),
        $name
    );
    return;
}

sub ticket {
    my (%given) = @_;
    return need(
        $tickets->TicketCreate(
            Queue        => 'Soporte técnico',
            Lock         => 'unlock',
            Priority     => '3 normal',
            State        => 'open',
            CustomerUser => 'jose@customer.test',
            CustomerID   => 'nunez',
            OwnerID      => 1,
            UserID       => 1,
            %given,
        ),
        $given{Title}
    );
}

sub article {
    my ( $ticket, $channel, %given ) = @_;
    my $backend = $om{'Ticket::Article'}->BackendForChannel( ChannelName => $channel );
    return need(
        $backend->ArticleCreate(
            TicketID             => $ticket,
            SenderType           => 'agent',
            IsVisibleForCustomer => 1,
            From                 => 'Ana Líma <ana@agents.test>',
            To                   => 'Support <support@znuny.test>',
            Subject              => 'About it',
            Body                 => 'Text',
            ContentType          => 'text/plain; charset=utf-8',
            HistoryType          => 'AddNote',
            HistoryComment       => 'seed',
            UserID               => $id_of{ana},
            NoAgentNotify        => 1,
            %given,
        ),
        "article of $ticket"
    );
}

sub from_customer {
    my ( $ticket, %given ) = @_;
    return article(
        $ticket, 'Email',
        SenderType  => 'customer',
        From        => 'José Ñuñez <jose@customer.test>',
        HistoryType => 'EmailCustomer',
        UserID      => 1,
        %given,
    );
}

# ---- one of each state, with fields of each type
my $index = 0;
for my $state ( 'new', 'open', 'pending reminder', 'closed successful', 'closed unsuccessful', 'removed' ) {
    my $id = ticket(
        Title    => "A ticket that is $state",
        State    => $state,
        Queue    => $index % 2 ? 'Ventas' : 'Soporte técnico::Nivel 2 & más',
        Priority => ( '1 very low', '2 low', '3 normal', '4 high', '5 very high', '3 normal' )[$index],
        OwnerID  => $id_of{ ( qw(ana bjorn chie gone ana ana) )[$index] },
    );
    from_customer( $id, Subject => "It is $state", Body => "It is $state." );
    set_field( 'Colour',    $id, $index % 2 ? 'red' : 'blå' );
    set_field( 'Platforms', $id, [ ( 'Linux', 'macOS' )[ 0 .. $index % 2 ] ] );
    set_field( 'Notes',     $id, "First line\nsecond line" );
    set_field( 'CalledAt',  $id, '2020-02-29 12:34:56' );
    set_field( 'Billable',  $id, $index % 2 );
    $tickets->TicketPendingTimeSet( String => '2031-12-31 23:59:00', TicketID => $id, UserID => 1 )
        if $state eq 'pending reminder';
    $made{$state} = $id;
    $index++;
}

# ---- a conversation of several people, by mail and note, with files of all kinds
my $thread = ticket( Title => 'A long conversation', OwnerID => $id_of{ana}, ResponsibleID => $id_of{bjorn} );
my $dot    = decode_base64( $texts->{png} );
from_customer(
    $thread,
    Subject     => 'Please help',
    ContentType => 'text/html; charset=utf-8',
    Body        => '<p>Please <b>help</b>: <img src="cid:dot@znuny.test" alt="dot"> see'
        . ' <a href="https://example.com/?a=1&amp;b=2">this</a>.</p>',
    Attachment => [
        {
            Content     => $dot,
            ContentType => 'image/png; name="dot.png"',
            Filename    => 'dot.png',
            ContentID   => '<dot@znuny.test>',
            Disposition => 'inline',
        },
    ],
);
article( $thread, 'Email', Subject => 'Re: Please help', Body => "We look into it.\n\n> quoted\n> twice", HistoryType => 'SendAnswer', From => 'Support <support@znuny.test>' );
my $note = article(
    $thread, 'Internal',
    IsVisibleForCustomer => 0,
    Subject              => 'Private',
    Body                 => 'Private: the customer is angry 😡.',
    From                 => 'Björn Åström <bjorn@agents.test>',
    UserID               => $id_of{bjorn},
);
set_field( 'Mood', $note, 'worried' );
article( $thread, 'Phone', Subject => 'Called', Body => 'They called.', HistoryType => 'PhoneCallCustomer', UserID => $id_of{chie}, From => '千恵 山田 <chie@agents.test>' );
article( $thread, 'Internal', SenderType => 'system', IsVisibleForCustomer => 0, Subject => 'Escalated', Body => 'By itself.', From => 'Znuny System', UserID => 1 );
my @files = (
    [ 'Ünïcode ‘Ω’ 日本 🎈.txt',       'text/plain; charset=utf-8', "na\xc3\xafve caf\xc3\xa9\r\n" ],
    [ 'five-megabytes.bin',              'application/octet-stream',  join '', map { pack 'N', ( $_ * 2654435761 ) % 2**32 } 1 .. 1_310_720 ],
    [ 'with space & (brackets) [1].pdf', 'application/pdf',           join '', map { chr( $_ % 256 ) } 1 .. 2_000 ],
    [ 'page.html',                       'text/html',                 '<p>A file, not a message</p>' ],
);
for my $file (@files) {
    my ( $name, $type, $content ) = @$file;
    article(
        $thread, 'Internal',
        Subject    => 'A file',
        Body       => "A file: $name",
        Attachment => [ { Content => $content, ContentType => $type, Filename => $name, Disposition => 'attachment' } ],
    );
}
$made{thread} = $thread;

# ---- texts that break tools
my $words = ticket( Title => 'Ugly words', CustomerUser => "o'brien_100%", CustomerID => 'obrien', ResponsibleID => $id_of{chie} );
for my $text ( @{ $texts->{hostile} } ) {
    article( $words, 'Internal', Subject => substr( ( split /\n/, $text )[0], 0, 100 ), Body => $text, UserID => $id_of{bjorn} );
    my $title = ( split /\n/, $text )[0];
    from_customer( ticket( Title => substr( $title, 0, 200 ), CustomerUser => '', CustomerID => '' ), Body => $text, From => 'A Stranger <stranger@elsewhere.test>' );
}
my $long = ticket( Title => 'Long', CustomerUser => 'smith1@customer.test', CustomerID => 'smith' );
from_customer( $long, Body => join "\n", map {"Line $_: the quick brown fox jumps over the lazy dog. Ünïcödé 🦊."} 1 .. 3_000 );
$made{empty} = ticket( Title => 'Without a word', CustomerUser => 'eva+shop@customer.test', CustomerID => 'smith' );
my $internal = ticket( Title => 'Begun by a note', CustomerUser => 'SMITH2@customer.test', CustomerID => 'smith' );
article( $internal, 'Internal', IsVisibleForCustomer => 0, Body => 'Nobody outside may see this.' );
@made{qw(words long internal)} = ( $words, $long, $internal );

# ---- merged
my ( $into, $away ) = map { ticket( Title => $_, CustomerUser => 'smith2@customer.test', CustomerID => 'smith' ) } 'Merged into this', 'Merged away';
from_customer( $_, Body => "The words of $_" ) for $into, $away;
$tickets->TicketMerge( MainTicketID => $into, MergeTicketID => $away, UserID => $id_of{ana} ) or die 'no merge';
@made{qw(into away)} = ( $into, $away );

# ---- dates of some years, in local time without a zone: one in winter, one in summer, one twice on the clock
my %created = ( new => '2014-01-15 08:00:00', open => '2016-07-15 08:00:00', 'pending reminder' => '2019-10-27 02:30:00' );
for my $name ( sort keys %created ) {
    for my $change ( 'create_time', 'change_time' ) {
        $om{DB}->Do( SQL => "UPDATE ticket SET $change = ? WHERE id = ?", Bind => [ \$created{$name}, \$made{$name} ] ) or die;
    }
    $om{DB}->Do( SQL => 'UPDATE article SET create_time = ? WHERE ticket_id = ?', Bind => [ \$created{$name}, \$made{$name} ] ) or die;
}

# ---- more tickets of one second than a search lists by default
for my $number ( 1 .. 520 ) {
    ticket( Title => "Imported $number", Queue => 'Ventas', State => 'closed successful', CustomerUser => 'smith1@customer.test', CustomerID => 'smith' );
}
my $second = '2018-03-04 05:06:07';
$om{DB}->Do( SQL => "UPDATE ticket SET create_time = ?, change_time = ? WHERE title LIKE 'Imported %'", Bind => [ \$second, \$second ] ) or die;

$Kernel::OM->Get('Kernel::System::Cache')->CleanUp();
print $om{JSON}->Encode( Data => { tickets => \%made, agents => \%id_of, queues => \%queues } );
