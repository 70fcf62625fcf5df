package dev.waybill.walletforge.ledger;

import dev.waybill.inbox.Verdict;
import dev.waybill.schema.SchemaName;
import dev.waybill.test.TestMessage;
import dev.waybill.test.WaybillExtension;
import dev.waybill.test.proof.HandlerProof;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The ledger applies a payment once, whatever happens to the process that applies it. */
class LedgerProofTest {
    private static final ForgeSchemas SCHEMAS = new ForgeSchemas(new SchemaName("forge"), SchemaName.DEFAULT);

    @RegisterExtension
    static final WaybillExtension WAYBILL = new WaybillExtension().prepared(SCHEMAS::migrate);

    @Test
    void a_payment_is_applied_once_under_crashes_and_repeats(DataSource dataSource) throws Exception {
        var ledger =
                new Ledger(Installation.of(dataSource, SCHEMAS, new ServiceBusAddress("none.servicebus.windows.net")));

        HandlerProof.of(dataSource, (tx, message) -> {
                    String wallet = message.session().orElseThrow();
                    long cents = Long.parseLong(message.text());
                    Kind kind = cents < 0 ? Kind.DEBIT : Kind.CREDIT;
                    ledger.book(tx, new Booking(message.id(), wallet, kind, Math.abs(cents), false));
                    return Verdict.done();
                })
                .messages(payment("t1", "w1", 100), payment("t2", "w1", -30), payment("t3", "w2", 50))
                // It tells when the entry was made, and its number.
                .ignoring("outbox.body")
                .requireNoFault();
    }

    private static TestMessage payment(String id, String wallet, long cents) {
        return TestMessage.of(id).session(wallet).text("" + cents).build();
    }
}
