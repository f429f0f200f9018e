import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useState,
  useSyncExternalStore,
} from "react";
import { pathOf, type Place, placeOf } from "./place.ts";
import type { ScreenName } from "./screen-names.ts";
import type { HowToGo, WizardHistory } from "./wizard-history.ts";

interface Navigation {
  readonly history: WizardHistory;
  /** Preloads a screen that the customer will probably open next. */
  readonly prepare: (screen: ScreenName) => void;
}

const NavigationContext = createContext<Navigation | null>(null);

interface ProviderProps {
  readonly navigation: Navigation;
  readonly children: ReactNode;
}

export const NavigationProvider = ({ navigation, children }: ProviderProps) => (
  <NavigationContext value={navigation}>{children}</NavigationContext>
);

const useNavigation = (): Navigation => {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error("The page is rendered outside of a NavigationProvider.");
  return navigation;
};

export const useHistory = (): WizardHistory => useNavigation().history;

export const usePrepare = (): Navigation["prepare"] => useNavigation().prepare;

/** The current location; updates on navigation. */
export const usePlace = (): Place => {
  const history = useHistory();
  return placeOf(useSyncExternalStore(history.subscribe, history.path));
};

/** The part of this screen that a link targeted when the screen opened. */
export const useMeant = (): string | null => {
  const history = useHistory();
  const [meant] = useState(() => history.part());
  return meant;
};

/** Navigates to another screen of this import. */
export const useGo = (): ((to: ScreenName, how?: HowToGo) => void) => {
  const history = useHistory();
  return useCallback(
    (to, how) => {
      const place = placeOf(history.path());
      if (place.kind !== "nowhere") history.go(pathOf(place.importId, to), how);
    },
    [history],
  );
};
