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

/** The picture of a kind of record; those that nobody drew one for are a box. */
export const iconOf = (stream: string): LucideIcon => icons[stream] ?? Box;
