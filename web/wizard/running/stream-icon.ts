import {
  Building2,
  File,
  Folder,
  Link2,
  MessageCircle,
  Newspaper,
  Paperclip,
  Ticket,
  User,
  Users,
} from "lucide-react";
import type { LucideIcon } from "../../ui/icon.tsx";

const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/attachment|file/, Paperclip],
  [/comment|note|message|entr/, MessageCircle],
  [/organi|compan/, Building2],
  [/user|contact|person|people|lead/, User],
  [/group|team|member/, Users],
  [/ticket|issue|task|deal/, Ticket],
  [/article|page|post/, Newspaper],
  [/project|folder|queue|categor|version|board/, Folder],
  [/relation|link|watch/, Link2],
];

/** The icon of a kind of record, chosen by its name. */
export const streamIcon = (stream: string): LucideIcon =>
  icons.find(([pattern]) => pattern.test(stream))?.[1] ?? File;
