/** What the server or a tool's connector says in its own words: English, whatever the page speaks. */
export const Told = ({ children }: { children?: string }) => <bdi lang="en">{children}</bdi>;
