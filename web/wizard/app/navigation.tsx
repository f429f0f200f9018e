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
  /** Loads a screen that somebody will probably go to. */
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
  if (!navigation) throw new Error("A page is shown outside of a NavigationProvider.");
  return navigation;
};

export const useHistory = (): WizardHistory => useNavigation().history;

export const usePrepare = (): Navigation["prepare"] => useNavigation().prepare;

/** Where the page is; changes when somebody navigates. */
export const usePlace = (): Place => {
  const history = useHistory();
  return placeOf(useSyncExternalStore(history.subscribe, history.path));
};

/** What of this screen somebody was led to, as it was when they came. */
export const useMeant = (): string | null => {
  const history = useHistory();
  const [meant] = useState(() => history.part());
  return meant;
};

/** Goes to another screen of this import, after something was done. */
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
