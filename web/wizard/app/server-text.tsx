/** Text from the server or a connector: always English, whatever the page's language. */
export const ServerText = ({ children }: { children?: string }) => <bdi lang="en">{children}</bdi>;
