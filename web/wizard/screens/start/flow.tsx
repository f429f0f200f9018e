import { useTranslation } from "react-i18next";

interface FlowProps {
  readonly names: { readonly source: string; readonly destination: string };
  readonly signIn: string;
  readonly destinationConnected: boolean;
}

/** The four steps, with the time that each takes. */
export const Flow = ({ names, signIn, destinationConnected }: FlowProps) => {
  const { t } = useTranslation("start");
  const how = {
    oauth2: t("flow.connectSignIn", names),
    none: t("flow.connectFile", names),
    secret: t("flow.connectSecret", names),
  }[signIn === "oauth2" || signIn === "none" ? signIn : "secret"];
  const connect = destinationConnected ? `${how} ${t("flow.destinationConnected", names)}` : how;
  const steps = [
    {
      title: signIn === "none" ? t("flow.connectFileTitle") : t("flow.connect", names),
      time: t("flow.minutes", { count: 2 }),
      text: connect,
    },
    { title: t("flow.match"), time: t("flow.minutes", { count: 5 }), text: t("flow.matchText") },
    { title: t("flow.sample"), time: t("flow.minutes", { count: 3 }), text: t("flow.sampleText") },
    { title: t("flow.move"), time: t("flow.moveTime"), text: t("flow.moveText") },
  ];
  return (
    <section aria-labelledby="what-happens">
      <h2 id="what-happens" className="vh">
        {t("flow.title")}
      </h2>
      <ol className="flow">
        {steps.map(({ title, time, text }, index) => (
          <li key={title}>
            <span className="n" aria-hidden="true">
              {index + 1}
            </span>
            <h3>{title}</h3>
            <span className="time">{time}</span>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
};
