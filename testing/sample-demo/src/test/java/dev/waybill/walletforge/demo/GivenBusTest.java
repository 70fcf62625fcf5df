package dev.waybill.walletforge.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.walletforge.demo.input.GeneratedLoad;
import dev.waybill.walletforge.demo.installation.NamedInstallation;
import dev.waybill.walletforge.demo.intake.Accepted;
import dev.waybill.walletforge.demo.relay.RelayService;
import dev.waybill.walletforge.demo.relay.RelayTempo;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.servicebus.Entities;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A bus that is given by its address, whatever it really is. */
@ExtendWith(PostgresExtension.class)
class GivenBusTest {
    @TempDir
    private Path directory;

    private final EmbeddedBus bus = EmbeddedBus.start(1_000, Duration.ofSeconds(30), 1);

    @AfterEach
    void stop_the_broker() {
        bus.close();
    }

    @Test
    void a_second_run_with_the_same_payments_is_not_taken_for_a_repeat_of_the_first(TestDatabase database)
            throws Exception {
        assertThat(run(database).exitCode()).isZero();
        assertThat(run(database).exitCode()).isZero();
        assertThat(payments()).isEqualTo(100);
    }

    @Test
    void what_a_killed_run_left_in_the_queue_is_no_payment_of_the_next(TestDatabase database) throws Exception {
        var schemas = new ForgeSchemas(new SchemaName(database.schema() + "_app"), new SchemaName(database.schema()));
        schemas.migrate(database.dataSource());
        var installation = new NamedInstallation("killed01", database.dataSource(), schemas, bus.address());
        var killedRun = Accepted.of(installation);
        new GeneratedLoad(50, 5, 1).payments().lines().forEach(killedRun::accept);
        try (var relay = RelayService.start(installation, RelayTempo.CALM)) {
            relay.wake();
            Awaitility.await().until(() -> bus.published() == 50);
        }

        assertThat(run(database).exitCode()).isZero();
        assertThat(bus.delivered()).isGreaterThanOrEqualTo(100);
    }

    @Test
    void a_message_that_the_bus_loses_ends_the_command_with_exit_code_1(TestDatabase database) throws Exception {
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity(Entities.WALLET_TX)
                .times(1)
                .then(FaultAction.pretend());
        Path report = directory.resolve("r.json");

        var run = run(database, "--patience", "1", "--report", report.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("THE PROOF DOES NOT HOLD");
        var figures = new ObjectMapper().readTree(report.toFile());
        assertThat(figures.get("ok").asBoolean()).isFalse();
        assertThat(figures.get("lost").asInt()).isPositive();
    }

    private Cli run(TestDatabase database, String... options) throws Exception {
        var all = new ArrayList<>(
                List.of("--service-bus", bus.address().value(), "--transactions", "50", "--wallets", "5"));
        all.addAll(List.of(options));
        return Cli.demo(database, all.toArray(String[]::new));
    }

    private long payments() {
        return bus.witness().publications().values().stream()
                .flatMap(List::stream)
                .filter(id -> id.startsWith("tx-"))
                .count();
    }
}
