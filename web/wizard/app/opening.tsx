import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Frame } from "./frame.tsx";

const slowMs = 10_000;

/** Shown while the import or its first screen loads. */
export const Opening = () => {
  const { t } = useTranslation("shell");
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Frame partnerName={null} home={<span className="partner" />} helpHref={null} privacyUrl={null}>
      <main id="main" className="wz-main">
        <h1 className="vh">{t("loading.title")}</h1>
        <Skeleton lines={5} afterMs={0} />
        {slow && <p className="muted mt-6">{t("loading.slow")}</p>}
      </main>
    </Frame>
  );
};
