/** The columns of the list of people, as its first row names them. */
export const columns = ["id", "name", "email", "match"] as const;

/** In the last column: what happens to a person besides a match with somebody. */
export const ways = ["copy", "default", "nobody"] as const;

/** Before the id of a person in the new tool, where an address does not tell who is meant. */
export const idMark = "id:";
