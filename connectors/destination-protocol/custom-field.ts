import type { CustomField } from "@portage/connector-kit";
import type { DescribedStream } from "@portage/contract/destination-protocol";

export const customFieldOf = ({
  options,
  maxLength,
  ...field
}: DescribedStream["customFields"][number]): CustomField => ({
  ...field,
  ...(options && { options }),
  ...(maxLength !== undefined && { maxLength }),
});
