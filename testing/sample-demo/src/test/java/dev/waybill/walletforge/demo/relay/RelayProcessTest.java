package dev.waybill.walletforge.demo.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.demo.intake.Accepted;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class RelayProcessTest {
    @Test
    @Tag("long")
    void a_relay_in_a_process_of_its_own_publishes_and_ends_when_its_input_does(TestDatabase database)
            throws Exception {
        var schemas = new ForgeSchemas(new SchemaName(database.schema() + "_app"), new SchemaName(database.schema()));
        schemas.migrate(database.dataSource());
        Accepted.of(database.dataSource(), schemas, "testrun1").accept(new Payment("t", "w", Kind.CREDIT, 1));

        RelayProcess ended;
        try (var bus = EmbeddedBus.start(10, Duration.ofSeconds(30), 1);
                var relay = RelayProcess.start(new RelayLaunch(
                        "dev.waybill.walletforge.demo.WalletForge",
                        database.server().jdbcUrl(),
                        bus.address().value(),
                        schemas.waybill()))) {
            ended = relay;
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> bus.published() == 1);
        }

        assertThat(ended.awaitEnd()).isTrue();
        assertThat(ended.exitCode()).isZero();
    }

    @Test
    void addresses_with_their_keys_are_not_on_the_command_line() {
        var launch = new RelayLaunch("Main", "jdbc:secret", "Endpoint=secret", SchemaName.DEFAULT);

        var process = launch.process("relay-1");

        assertThat(String.join(" ", process.command())).doesNotContain("secret");
        assertThat(process.environment())
                .containsEntry(RelayLaunch.JDBC_URL, "jdbc:secret?ApplicationName=relay-1")
                .containsEntry(RelayLaunch.SERVICE_BUS, "Endpoint=secret");
    }
}
