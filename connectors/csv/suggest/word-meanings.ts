import { folded } from "../values/words.ts";

/** Tools' words by their meaning in the family; in several languages, compared as `folded`. */
const meanings: Readonly<Record<string, string>> = {
  "statusKind.new": "new, neu, nouveau, nuevo, nuovo, novo, nieuw, nowy, unassigned, created, submitted",
  "statusKind.open":
    "open, offen, ouvert, abierto, aperto, aberto, otwarte, in progress, in bearbeitung, en cours, active, assigned, reopened, working, en curso, in corso, em andamento",
  "statusKind.pending":
    "pending, waiting, wartend, warten auf kunde, waiting on customer, waiting for customer, en attente, pendiente, in attesa, pendente, wachten, awaiting reply, feedback, rückfrage",
  "statusKind.on_hold":
    "on hold, hold, paused, zurückgestellt, pausiert, en pause, en espera, sospeso, suspended, waiting on third party, deferred",
  "statusKind.solved":
    "solved, resolved, gelöst, erledigt, done, fixed, résolu, resuelto, risolto, resolvido, opgelost, rozwiązane, completed",
  "statusKind.closed":
    "closed, geschlossen, fermé, clos, cerrado, chiuso, fechado, gesloten, zamknięte, archived, rejected, abgelehnt, cancelled, canceled, spam, merged",
  "statusKind.todo":
    "todo, to do, new, neu, open, offen, backlog, planned, geplant, à faire, pendiente, por hacer, da fare, a fazer, te doen, do zrobienia, nouveau, nuevo, not started, selected for development, ready",
  "statusKind.in_progress":
    "in progress, doing, started, active, in bearbeitung, in arbeit, en cours, en curso, en progreso, in corso, em andamento, bezig, w toku, review, in review, testing, feedback, blocked, assigned",
  "statusKind.done":
    "done, closed, resolved, completed, complete, finished, erledigt, fertig, abgeschlossen, geschlossen, gelöst, terminé, fermé, hecho, completado, cerrado, fatto, completato, chiuso, concluído, klaar, gereed, zrobione, fixed, released, verified",
  "statusKind.canceled":
    "canceled, cancelled, rejected, wont do, won t do, wont fix, won t fix, abgelehnt, abgebrochen, storniert, annulé, rejeté, cancelado, rechazado, annullato, rifiutato, geannuleerd, anulowane, duplicate, invalid",
  "priorityKind.low":
    "low, lowest, minor, trivial, niedrig, gering, basse, faible, baja, bassa, baixa, laag, niski, p4, 4",
  "priorityKind.normal":
    "normal, medium, mittel, moyenne, normale, media, média, middel, średni, standard, p3, 3, default",
  "priorityKind.high": "high, hoch, major, important, wichtig, haute, élevée, alta, hoog, wysoki, p2, 2",
  "priorityKind.urgent":
    "urgent, critical, blocker, highest, immediate, emergency, dringend, kritisch, sofort, urgente, critique, crítica, critica, pilny, p1, 1",
  "visibility.public":
    "public, öffentlich, extern, external, publique, público, pubblico, openbaar, publiczny, reply, customer, true, yes, ja",
  "visibility.internal":
    "internal, intern, private, privat, interne, interno, privé, privado, privato, prive, note, internal note, prywatny, false, no, nein",
  "role.admin": "admin, administrator, owner, administrateur, administrador, amministratore, beheerder",
  "role.agent": "agent, user, member, staff, light agent, benutzer, mitarbeiter, agente, collaborator",
  "state.draft":
    "draft, entwurf, brouillon, borrador, bozza, rascunho, concept, szkic, unpublished, false, no",
  "state.review": "review, pending, in review, ausstehend",
  "state.scheduled": "scheduled, future, geplant, planifié, programado, programmato",
  "state.published":
    "published, publish, veröffentlicht, publié, publicado, pubblicato, gepubliceerd, opublikowany, live, public, true, yes",
  "state.private": "private, privat",
  "state.trashed": "trash, trashed, deleted, gelöscht, papierkorb",
  "state.archived": "archived, archiviert, archivé, archivado, archiviato",
  "state.approved": "approved, 1, genehmigt, approuvé, aprobado",
  "state.pending": "pending, 0, ausstehend, en attente, pendiente",
  "state.spam": "spam",
  "state.open": "open, offen, active, unreleased",
  "state.locked": "locked, gesperrt",
  "state.closed": "closed, geschlossen, released, done",
  "kind.call": "call, phone, anruf, telefonat, appel, llamada, chiamata",
  "kind.meeting": "meeting, appointment, event, termin, besprechung, réunion, reunión, riunione",
  "kind.email": "email, e mail, mail, courriel",
  "kind.task": "task, to do, todo, aufgabe, tâche, tarea",
  "kind.other": "other, note, sonstiges, lunch",
  "kind.relates": "relates, relates to, related, related to, verwandt",
  "kind.duplicates": "duplicates, duplicate, duplicate of, duplikat",
  "kind.blocks": "blocks, blocker, blockiert",
  "kind.precedes": "precedes, vorgänger von, before",
  "kind.copied_to": "copied to, cloned, clones",
  "kind.causes": "causes, caused",
};

const tables = new Map(
  Object.entries(meanings).map(([key, list]) => [key, new Set(list.split(",").map(folded))] as const),
);

/** The option that a word means in a field; null: unknown. The order of the options decides between two. */
export const meaningOf = (path: string, options: readonly string[], word: string): string | null => {
  const said = folded(word);
  return (
    options.find((option) => folded(option) === said) ??
    options.find((option) => tables.get(`${path}.${option}`)?.has(said)) ??
    null
  );
};
