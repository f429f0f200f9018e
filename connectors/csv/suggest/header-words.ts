import { folded } from "../values/words.ts";

/**
 * Names that tools use for a field, in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish.
 * By path, or by `stream.path` if a name has that meaning in one stream only.
 */
const words: Readonly<Record<string, string>> = {
  id: "id, nr, no, number, nummer, numero, numéro, número, key, schlüssel, identifier, uid, uuid, code, ref, reference, kennung, sysid, external id, record id, lp",
  createdAt:
    "created, created at, created on, date created, creation date, create time, opened, opened at, submitted, date, erstellt, erstellt am, erstelldatum, angelegt, angelegt am, datum, créé le, date de création, creado, fecha de creación, fecha, creato il, data creazione, data, criado em, data de criação, aangemaakt, aangemaakt op, utworzono, data utworzenia, registered, added",
  updatedAt:
    "updated, updated at, updated on, last updated, last modified, modified, modified at, last change, geändert, geändert am, aktualisiert, letzte änderung, zuletzt geändert, modifié le, mis à jour, actualizado, última actualización, fecha de modificación, modificado, aggiornato, modificato il, atualizado em, bijgewerkt, gewijzigd, zaktualizowano, last activity",
  tags: "tags, tag, labels, label, keywords, schlagwörter, schlagworte, stichwörter, étiquettes, mots clés, etiquetas, etichette, trefwoorden, etykiety, categories",
  name: "name, full name, fullname, display name, first name, last name, vorname, nachname, vollständiger name, nom, prénom, nom complet, nombre, apellido, nombre completo, nome, cognome, nome completo, sobrenome, naam, voornaam, achternaam, nazwa, imię, nazwisko, title, bezeichnung, company name, firma, firmenname, organization name, team",
  email:
    "email, e mail, mail, email address, e mail adresse, mailadresse, courriel, adresse e mail, correo, correo electrónico, posta elettronica, e mailadres, adres e mail",
  emails:
    "email, e mail, mail, email address, e mail adresse, mailadresse, courriel, adresse e mail, correo, correo electrónico, posta elettronica, e mailadres, primary email, work email, secondary email, email 2",
  phones:
    "phone, phone number, telephone, tel, mobile, cell, mobile phone, telefon, telefonnummer, handy, mobil, téléphone, portable, teléfono, móvil, telefono, cellulare, telefone, celular, telefoon, telefonu, work phone",
  active: "active, is active, enabled, status, aktiv, actif, activo, attivo, ativo, actief, aktywny, state",
  role: "role, rolle, rôle, rol, ruolo, papel, user role",
  domains:
    "domain, domains, website, web site, url, homepage, webseite, site web, sitio web, sito web, domäne, domaine, dominio",
  subject:
    "subject, title, summary, betreff, titel, thema, kurzbeschreibung, sujet, objet, titre, asunto, título, oggetto, titolo, assunto, onderwerp, temat, tytuł, name, headline",
  title:
    "title, subject, summary, name, headline, titel, überschrift, betreff, aufgabe, titre, sujet, tâche, título, asunto, tarea, titolo, oggetto, assunto, tarefa, onderwerp, taak, tytuł, task, task name, issue, page title, post title",
  description:
    "description, details, body, text, message, content, beschreibung, inhalt, nachricht, anfrage, détails, contenu, descripción, mensaje, contenido, descrizione, messaggio, descrição, mensagem, omschrijving, beschrijving, bericht, opis, treść, problem, note, notes",
  body: "body, text, content, comment, message, note, html, inhalt, kommentar, nachricht, antwort, notiz, commentaire, contenu, réponse, comentario, contenido, respuesta, commento, contenuto, risposta, comentário, conteúdo, reactie, inhoud, komentarz, treść, reply, description, notes, post content",
  notes:
    "notes, note, remarks, comments, notizen, notiz, bemerkungen, bemerkung, anmerkungen, remarques, notas, observaciones, note interne, osservazioni, observações, opmerkingen, uwagi, description, beschreibung",
  status:
    "status, state, stand, zustand, statut, état, estado, stato, situação, toestand, stan, ticket status, issue status",
  priority:
    "priority, prio, priorität, dringlichkeit, priorité, urgence, prioridad, urgencia, priorità, prioridade, prioriteit, priorytet, severity, urgency",
  type: "type, kind, typ, art, tracker, issue type, ticket type, vorgangstyp, genre, tipo, soort, rodzaj",
  channel: "channel, source, via, origin, kanal, quelle, canal, origine, origen, canale, kanaal",
  "requester.email":
    "requester email, requester, customer email, from, sender, reporter email, absender, kunde e mail, kunden e mail, e mail des kunden, email, e mail, demandeur, email du client, solicitante, correo del cliente, cliente, richiedente, solicitante email, aanvrager, zgłaszający, contact email, submitter email",
  "requester.name":
    "requester name, requester, customer, customer name, client, reporter, absender, kunde, kundenname, melder, demandeur, nom du client, solicitante, cliente, nombre del cliente, richiedente, nome cliente, aanvrager, klant, klient, contact, contact name, submitter, sender name",
  "requester.id":
    "requester id, customer id, contact id, client id, kundennummer, kunden id, kunden nr, numéro client, id cliente, klantnummer",
  "assignee.email": "assignee email, agent email, assigned to email, bearbeiter e mail",
  "assignee.name":
    "assignee, assigned to, agent, owner, assignee name, responsible, bearbeiter, zugewiesen an, zuständig, verantwortlich, assigné à, responsable, asignado a, agente, assegnato a, assegnatario, atribuído a, responsável, toegewezen aan, behandelaar, przypisane do, handler",
  "assignee.id": "assignee id, agent id, assigned to id, bearbeiter id",
  "author.email": "author email, created by email, submitter email, from, autor e mail",
  "author.name":
    "author, created by, creator, writer, user, by, from, reporter, submitter, posted by, autor, verfasser, erstellt von, ersteller, benutzer, auteur, créé par, utilisateur, creado por, usuario, autore, creato da, utente, criado por, usuário, aangemaakt door, gebruiker, utworzone przez, author name, logged by",
  "author.id": "author id, user id, created by id, creator id, submitter id, benutzer id, autor id",
  "owner.name":
    "owner, account owner, salesperson, sales rep, contact owner, deal owner, besitzer, verantwortlich, zuständig, vertriebler, propriétaire, commercial, propietario, proprietario, proprietário, eigenaar, właściciel, responsible",
  "owner.email": "owner email, account owner email, salesperson email",
  "owner.id": "owner id, user id",
  "lead.name":
    "lead, project lead, project manager, manager, projektleiter, leiter, chef de projet, jefe de proyecto, responsable, capo progetto, gerente",
  groupId:
    "group, team, department, queue, group id, gruppe, abteilung, warteschlange, groupe, équipe, service, grupo, equipo, departamento, gruppo, reparto, equipe, groep, afdeling, grupa, kolejka",
  organizationId:
    "organization, organisation, company, account, organization id, company id, firma, unternehmen, organisationseinheit, entreprise, société, organización, empresa, organizzazione, azienda, organização, organisatie, bedrijf, organizacja, company name",
  companyId:
    "company, company id, account, organization, account id, company name, account name, firma, unternehmen, firmen id, entreprise, société, empresa, azienda, bedrijf, associated company, associated company id",
  parentCompanyId:
    "parent company, parent company id, parent account, holding, muttergesellschaft, société mère",
  memberIds: "members, agents, member ids, mitglieder, membres, miembros, membri, membros, leden, członkowie",
  ticketId:
    "ticket id, ticket, ticket number, ticket nr, ticketnummer, ticket no, case id, case, case number, request id, parent id, vorgang, vorgangsnummer, anfrage, numéro de ticket, id del ticket, numero ticket, número do ticket, zgłoszenie, issue id",
  taskId:
    "task id, task, issue id, issue, issue key, task number, aufgabe, aufgaben id, aufgabennummer, vorgang, ticket, ticket id, tâche, id tâche, tarea, id tarea, attività, tarefa, taak, zadanie",
  projectId:
    "project, project id, project key, project name, projekt, projekt id, projektnummer, projet, proyecto, progetto, projeto, board",
  parentTaskId:
    "parent, parent id, parent task, parent issue, parent key, übergeordnete aufgabe, tâche parente, tarea principal, epic link",
  parentProjectId: "parent, parent project, parent id, übergeordnetes projekt, projet parent, proyecto padre",
  parentPageId: "parent, parent page, parent id, übergeordnete seite, page parente",
  parentCategoryId: "parent, parent category, parent id, übergeordnete kategorie, catégorie parente",
  parentCommentId: "parent, parent comment, parent id, reply to, in reply to, antwort auf",
  versionId:
    "version, milestone, sprint, fix version, target version, release, meilenstein, zielversion, jalon, hito, versione",
  fromTaskId: "from, source, issue, from id, source id, from task, von",
  toTaskId: "to, target, related issue, to id, target id, to task, nach, zu",
  "relations.kind": "relation, relation type, link type, type, kind, beziehung, verknüpfung, relation",
  "activities.kind":
    "activity type, type, kind, art, typ, aktivität, type d activité, tipo de actividad, tipo",
  dueAt:
    "due, due date, due at, deadline, fällig, fällig am, fälligkeit, frist, échéance, date d échéance, vencimiento, fecha límite, scadenza, prazo, vencimento, deadline datum, vervaldatum, termin",
  dueOn:
    "due, due date, due on, deadline, end date, fällig, fällig am, fälligkeit, frist, abgabe, ende, échéance, date d échéance, fin, vencimiento, fecha límite, scadenza, prazo, vencimento, vervaldatum, termin, release date",
  startsOn:
    "start, start date, starts on, begin, beginn, startdatum, anfang, début, date de début, inicio, fecha de inicio, inizio, data inizio, início, rozpoczęcie",
  startsAt:
    "start, start date, start time, date, due date, begin, beginn, datum, termin, début, inicio, fecha, inizio, data, activity date, scheduled",
  solvedAt:
    "solved, solved at, resolved, resolved at, resolution date, gelöst, gelöst am, erledigt am, résolu le, resuelto, risolto il, resolvido em, opgelost",
  closedAt:
    "closed, closed at, closed on, close date, completed, completed at, completion date, geschlossen, geschlossen am, erledigt am, fermé le, clôturé le, cerrado, fecha de cierre, chiuso il, fechado em, gesloten, zamknięto, date closed, won time",
  closesOn:
    "close date, expected close date, closing date, expected close, closes on, abschlussdatum, voraussichtlicher abschluss, date de clôture prévue, fecha de cierre prevista, chiusura prevista, data de fechamento",
  publishedAt:
    "published, published at, publish date, post date, date, veröffentlicht, veröffentlicht am, publié le, publicado, pubblicato il, gepubliceerd",
  spentOn: "date, spent on, day, work date, datum, tag, jour, fecha, día, data, dag, dzień, started",
  minutes:
    "minutes, duration, time, time spent, hours, hours spent, dauer, zeit, stunden, minuten, aufwand, durée, heures, temps, duración, horas, tiempo, durata, ore, duração, tempo, duur, uren, czas, godziny",
  estimatedMinutes:
    "estimate, estimated time, estimated hours, original estimate, estimation, schätzung, geschätzter aufwand, geplanter aufwand, aufwand, temps estimé, tiempo estimado, horas estimadas, stima, tempo stimato, estimativa, schatting",
  donePercent:
    "done, percent done, progress, complete, done ratio, fortschritt, erledigt, avancement, progreso, progresso, voortgang, postęp, percent complete",
  activity: "activity, aktivität, tätigkeit, activité, actividad, attività, atividade, activiteit",
  note: "note, comment, comments, description, notiz, kommentar, bemerkung, commentaire, comentario, commento, comentário, opmerking, work description",
  category:
    "category, component, kategorie, komponente, catégorie, composant, categoría, categoria, categorie, kategoria, components",
  visibility:
    "visibility, public, internal, private, is public, is private, sichtbarkeit, öffentlich, intern, visibilité, visibilidad, público, visibilità, visibilidade, zichtbaarheid, comment type",
  firstName: "first name, firstname, given name, vorname, prénom, nombre, nome, voornaam, imię",
  lastName:
    "last name, lastname, surname, family name, name, nachname, familienname, nom, nom de famille, apellido, apellidos, cognome, sobrenome, achternaam, nazwisko, full name",
  jobTitle:
    "job title, position, title, role, berufsbezeichnung, funktion, stelle, poste, fonction, cargo, puesto, ruolo, functie, stanowisko, job",
  industry: "industry, sector, branche, secteur, industria, settore, setor, sector, branża",
  employees:
    "employees, number of employees, headcount, size, mitarbeiter, mitarbeiterzahl, effectif, empleados, dipendenti, funcionários, werknemers",
  "address.street":
    "street, address, street address, address line 1, straße, strasse, adresse, anschrift, rue, calle, dirección, via, indirizzo, rua, endereço, straat, adres, ulica, mailing street, billing street",
  "address.city":
    "city, town, ort, stadt, ville, ciudad, città, cidade, plaats, stad, miasto, mailing city, billing city",
  "address.region":
    "state, region, province, bundesland, kanton, région, département, provincia, regione, estado, provincie, województwo, state region",
  "address.postalCode":
    "zip, zip code, postal code, postcode, plz, postleitzahl, code postal, código postal, cap, cep, kod pocztowy",
  "address.country":
    "country, land, pays, país, paese, kraj, country region, mailing country, billing country",
  amount:
    "amount, value, deal value, price, revenue, betrag, wert, summe, umsatz, montant, valeur, importe, valor, monto, importo, valore, bedrag, waarde, kwota, wartość, deal amount",
  currency: "currency, währung, devise, moneda, divisa, valuta, moeda, waluta, currency code",
  pipelineId: "pipeline, pipeline id, pipeline name, sales pipeline, vertriebspipeline, embudo, funil",
  stageId: "stage, deal stage, sales stage, phase, stufe, étape, etapa, fase, stadium, etap, status",
  stages: "stages, phases, steps, stufen, phasen, étapes, etapas, fasi, fases, etapy",
  stage: "stage, lifecycle stage, lead status, status, phase, cycle de vie, etapa",
  lostReason:
    "lost reason, reason lost, loss reason, closed lost reason, verlustgrund, raison de la perte, motivo de pérdida, motivo perdita",
  contactIds:
    "contacts, contact, contact id, associated contact, kontakte, kontakt, ansprechpartner, contact associé, contactos, contacto, contatti, contatto",
  about:
    "about, related to, record, record id, company id, contact id, deal id, company, contact, deal, post, post id, page id, associated, zu, bezug, article, beitrag",
  done: "done, completed, is done, finished, erledigt, terminé, hecho, completado, fatto, concluído, klaar, status",
  locale: "locale, language, lang, sprache, langue, idioma, lingua, língua, taal, język",
  timeZone:
    "time zone, timezone, zeitzone, fuseau horaire, zona horaria, fuso orario, fuso horário, tijdzone",
  path: "category, section, folder, path, kategorie, ordner, rubrik, catégorie, dossier, categoría, carpeta, categoria, cartella, map",
  state:
    "state, status, published, veröffentlicht, zustand, statut, état, estado, stato, staat, stan, post status",
  slug: "slug, permalink, post name, url key, alias",
  url: "url, link, address, permalink, adresse, enlace, guid",
  excerpt:
    "excerpt, teaser, summary, zusammenfassung, auszug, extrait, extracto, riassunto, resumo, samenvatting",
  categoryIds:
    "categories, category, kategorien, kategorie, catégories, categorías, categorie, categorias, categorieën",
  tagIds: "tags, tag, schlagwörter, étiquettes, etiquetas",
  coverId:
    "cover, featured image, thumbnail, image, titelbild, beitragsbild, image à la une, imagen destacada",
  biography: "biography, bio, about, biografie, biographie, biografía, biografia",
  position: "position, order, sort, rank, menu order, reihenfolge, ordre, orden, ordine, ordem, volgorde",
  key: "key, identifier, project key, short name, kürzel, kurzname, clé, clave, chiave, chave",
  archived: "archived, is archived, archiviert, archivé, archivado, archiviato, arquivado, gearchiveerd",
};

/** Normalizes a header or a path for comparison: `createdAt`, `Created_at` and `CREATED AT` are equal. */
export const compact = (text: string): string =>
  folded(text.slice(0, 200).replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")).replaceAll(" ", "");

const tables = new Map(
  Object.entries(words).map(([path, list]) => [path, list.split(",").map((word) => compact(word))] as const),
);

/** What a record of a stream is called, compacted. */
export const streamWords: Readonly<Record<string, readonly string[]>> = {
  tickets: ["ticket", "case", "request", "vorgang", "vorgangs", "anfrage"],
  tasks: ["task", "issue", "aufgabe", "aufgaben", "vorgang", "vorgangs"],
  users: ["user", "agent", "benutzer", "mitarbeiter"],
  contacts: ["contact", "customer", "kontakt", "kunde", "kunden", "person", "personen"],
  organizations: ["organization", "company", "organisation", "firma", "firmen"],
  companies: ["company", "account", "organization", "firma", "firmen"],
  deals: ["deal", "opportunity", "geschaft"],
  comments: ["comment", "reply", "kommentar"],
  projects: ["project", "projekt"],
  posts: ["post", "beitrag"],
  pages: ["page", "seite"],
  articles: ["article", "artikel"],
  authors: ["author", "autor"],
  categories: ["category", "kategorie"],
  groups: ["group", "gruppe", "gruppen"],
  pipelines: ["pipeline"],
  versions: ["milestone", "version", "meilenstein"],
};

/**
 * How well a header names a field: 1 for an exact name (a little less far down the list, where other fields have
 * precedence), 0.8 with the record's own name around it, 0 for no match.
 */
export const headerFit = (stream: string, path: string, header: string): number => {
  const said = compact(header);
  if (said === "") return 0;
  const known = [compact(path), ...(tables.get(`${stream}.${path}`) ?? tables.get(path) ?? [])];
  const place = known.indexOf(said);
  if (place >= 0) return 1 - Math.min(place, 40) / 200;
  const rests = (streamWords[stream] ?? []).flatMap((own) => [
    ...(said.startsWith(own) ? [said.slice(own.length)] : []),
    ...(said.endsWith(own) ? [said.slice(0, -own.length)] : []),
  ]);
  return rests.some((rest) => known.includes(rest)) ? 0.75 : 0;
};
