import type { ZnunyServer } from "./znuny-server.ts";

/** Znuny's web service as its administrator, as tests need it: any refusal throws. */
export interface ZnunyApi {
  call<T = unknown>(method: string, path: string, body?: object): Promise<T>;
  /** The web service can't delete. */
  removeTickets(ids: readonly string[]): Promise<void>;
}

export const znunyApi = ({ url, webService, admin, perl }: ZnunyServer): ZnunyApi => ({
  async call<T>(method: string, path: string, body: object = {}) {
    const answer = await fetch(`${url}/nph-genericinterface.pl/Webservice/${webService}/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ UserLogin: admin.username, Password: admin.password, ...body }),
    });
    const text = await answer.text();
    if (!answer.ok || text.includes('"ErrorCode"'))
      throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  },
  async removeTickets(ids) {
    await perl(`
      use Kernel::System::ObjectManager;
      local $Kernel::OM = Kernel::System::ObjectManager->new();
      my $tickets = $Kernel::OM->Get('Kernel::System::Ticket');
      $tickets->TicketDelete( TicketID => $_, UserID => 1 ) or die for qw(${ids.map(Number).join(" ")});
    `);
  },
});
