import {
  BookOpen,
  Box,
  Building2,
  CalendarClock,
  CircleUser,
  ContactRound,
  FolderKanban,
  Handshake,
  Link2,
  ListChecks,
  type LucideIcon,
  MessageCircle,
  Paperclip,
  Ticket,
  User,
  UsersRound,
} from "lucide-react";

const icons: Readonly<Record<string, LucideIcon>> = {
  tickets: Ticket,
  comments: MessageCircle,
  attachments: Paperclip,
  users: CircleUser,
  contacts: User,
  organizations: Building2,
  companies: Building2,
  groups: UsersRound,
  articles: BookOpen,
  pages: BookOpen,
  posts: BookOpen,
  projects: FolderKanban,
  tasks: ListChecks,
  timeEntries: CalendarClock,
  activities: CalendarClock,
  deals: Handshake,
  relations: Link2,
  people: ContactRound,
};

/** The icon of a kind of record; a box if it has none. */
export const iconOf = (stream: string): LucideIcon => icons[stream] ?? Box;
