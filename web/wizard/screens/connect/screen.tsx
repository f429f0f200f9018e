import { SideScreen } from "./side-screen.tsx";

export const Screen = () => <SideScreen side="source" />;
