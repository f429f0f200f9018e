import { SideScreen } from "../connect/side-screen.tsx";

export const Screen = () => <SideScreen side="destination" />;
