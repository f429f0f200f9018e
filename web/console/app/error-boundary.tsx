import { Component, type ReactNode } from "react";
import { ProblemNotice } from "./problem-notice.tsx";

interface Props {
  readonly onReset: () => void;
  readonly children: ReactNode;
}

/** Shows a problem in place of a screen that can't be shown, instead of an empty page. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error("unknown") };
  }

  again = () => {
    this.props.onReset();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main id="main" className="c-main">
        <ProblemNotice error={error} again={this.again} />
      </main>
    );
  }
}
