import { Component, type ReactNode } from "react";
import { ProblemPage } from "./problem-page.tsx";

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
}

/** Shows an error page for unexpected errors, instead of an empty page. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error("unknown") };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ProblemPage error={error} again={() => window.location.reload()} />;
  }
}
