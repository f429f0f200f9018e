import type { WizardPartner } from "@portage/contract/wizard";
import { monogram } from "../../ui/tile.tsx";

interface PartnerMarkProps {
  readonly name: string;
  readonly logo: string | null;
}

/** The partner's logo, or its first letter on its colour. */
export const PartnerMark = ({ name, logo }: PartnerMarkProps) =>
  logo === null ? (
    <span className="tile brand s" aria-hidden="true">
      {monogram(name)}
    </span>
  ) : (
    <img className="logo" src={logo} alt="" />
  );

interface PartnerNameProps {
  readonly partner: WizardPartner | undefined;
  readonly logo: string | null;
}

/** The partner's logo and name without a link. */
export const PartnerName = ({ partner, logo }: PartnerNameProps) => (
  <span className="partner">
    {partner && (
      <>
        <PartnerMark name={partner.name} logo={logo} />
        {partner.name}
      </>
    )}
  </span>
);
