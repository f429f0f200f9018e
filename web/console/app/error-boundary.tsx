import { Component, type ReactNode } from "react";

interface Props {
  readonly problem: (error: unknown, again: () => void) => ReactNode;
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
    return this.state.error === null ? this.props.children : this.props.problem(this.state.error, this.again);
  }
}
