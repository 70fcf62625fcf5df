package dev.waybill.walletforge.demo.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.demo.installation.NamedInstallation;
import dev.waybill.walletforge.demo.intake.Accepted;
import dev.waybill.walletforge.demo.relay.RelayService;
import dev.waybill.walletforge.demo.relay.RelayTempo;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(60)
class SettleBlockTest {
    private static final String RELAY = "blocked-relay";

    @Test
    void a_settle_waits_while_writers_and_reads_go_on(TestDatabase database) throws Exception {
        var schemas = new ForgeSchemas(new SchemaName(database.schema() + "_app"), new SchemaName(database.schema()));
        schemas.migrate(database.dataSource());
        var intake = Accepted.of(database.dataSource(), schemas, "testrun1");
        var dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        var outbox = DSL.table(schemas.waybill().table("outbox_message"));
        String url = database.server().jdbcUrl();
        intake.accept(new Payment("first", "w", Kind.CREDIT, 1));

        try (var bus = EmbeddedBus.start(10, Duration.ofSeconds(30), 1);
                var pool = PostgresServer.pool(url + (url.contains("?") ? "&" : "?") + "ApplicationName=" + RELAY, 4)) {
            Relay relay;
            try (var block = SettleBlock.take(new SettleBlock.Target(database.dataSource(), schemas.waybill()))) {
                relay = RelayService.start(
                        new NamedInstallation("testrun1", pool, schemas, bus.address()), RelayTempo.CALM);
                Awaitility.await().until(() -> bus.published() == 1 && block.holdsBack(RELAY));
                intake.accept(new Payment("second", "w", Kind.CREDIT, 1));
                assertThat(dsl.fetchCount(outbox)).isEqualTo(2);
            }
            Awaitility.await().until(() -> bus.published() == 2 && dsl.fetchCount(outbox) == 0);
            relay.close();
        }
    }
}
