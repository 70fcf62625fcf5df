package dev.waybill.walletforge.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.walletforge.WalletService;
import dev.waybill.walletforge.demo.input.GeneratedLoad;
import dev.waybill.walletforge.demo.input.PaymentInput;
import dev.waybill.walletforge.demo.installation.NamedInstallation;
import dev.waybill.walletforge.demo.intake.Accepted;
import dev.waybill.walletforge.demo.intake.IntakeRun;
import dev.waybill.walletforge.demo.intake.Pace;
import dev.waybill.walletforge.demo.proof.Checker;
import dev.waybill.walletforge.demo.proof.Proof;
import dev.waybill.walletforge.demo.proof.RunFacts;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.servicebus.Entities;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The proof can fail: parts of Waybill are replaced by wrong ones, and the checker must find out. */
@ExtendWith(PostgresExtension.class)
class PlantedBugsTest {
    private final PaymentInput input = new GeneratedLoad(300, 10, 7).payments();
    private Installation installation;
    private TestDatabase database;
    private ForgeSchemas schemas;
    private DSLContext dsl;
    private Handler ledger;
    private EmbeddedBus bus;

    @BeforeEach
    void take_all_payments_in(TestDatabase database) {
        this.database = database;
        schemas = new ForgeSchemas(new SchemaName(database.schema() + "_app"), new SchemaName(database.schema()));
        schemas.migrate(database.dataSource());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        bus = EmbeddedBus.start(1_000, Duration.ofSeconds(30), 7);
        installation = new NamedInstallation("testrun1", database.dataSource(), schemas, bus.address());
        ledger = WalletService.ledger(installation);
        var intake = Accepted.of(installation);
        try (var run = IntakeRun.start(intake, input.lines(), 4, Pace.UNLIMITED)) {
            run.join();
        }
    }

    @AfterEach
    void stop_the_broker() {
        bus.close();
    }

    @Test
    void with_nothing_wrong_the_proof_holds() throws SQLException {
        deliverTwice();
        try (var relay = relay(publisher());
                var consumer = consumer(this::apply, ConsumerListener.SILENT)) {
            relay.start();
            consumer.start();
            Awaitility.await().until(() -> entries() >= 300 && bus.isDrained());
        }

        Proof proof = check();
        assertThat(proof.traffic().duplicatesDelivered()).isPositive();
        assertThat(proof.ok()).as(proof.toString()).isTrue();
    }

    @Test
    void without_the_inbox_duplicates_are_applied_and_the_checker_says_so() throws SQLException {
        deliverTwice();
        // The effects come with the delivery, in a transaction of their own, and not under the inbox's record.
        var noInbox = new ConsumerListener() {
            @Override
            public void received(InboundMessage message) {
                dsl.transaction(tx -> ledger.handle(tx.dsl(), message));
            }
        };
        try (var relay = relay(publisher());
                var consumer = consumer((tx, message) -> Verdict.done(), noInbox)) {
            relay.start();
            consumer.start();
            Awaitility.await().until(() -> entries() > 300 && bus.isDrained());
        }

        Proof proof = check();
        assertThat(proof.damage().duplicatesApplied()).isPositive();
        assertThat(proof.damage().lost()).isZero();
        assertThat(proof.ok()).isFalse();
    }

    @Test
    void a_relay_that_settles_before_it_sends_loses_messages_and_the_checker_says_so() throws SQLException {
        var dropped = new AtomicInteger();
        try (var relay = relay(new SettlesBeforeItSends(publisher(), dropped));
                var consumer = consumer(this::apply, ConsumerListener.SILENT)) {
            relay.start();
            consumer.start();
            Awaitility.await().until(() -> dropped.get() > 0 && entries() == 300 - dropped.get() && bus.isDrained());
        }

        Proof proof = check();
        assertThat(proof.damage().lost()).isEqualTo(dropped.get());
        assertThat(proof.damage().duplicatesApplied()).isZero();
        assertThat(proof.ok()).isFalse();
    }

    private Verdict apply(DSLContext tx, InboundMessage message) throws Exception {
        return ledger.handle(tx, message);
    }

    private void deliverTwice() {
        bus.faults()
                .at(FaultPoint.DELIVERED)
                .entity(Entities.WALLET_TX)
                .every(10)
                .then(FaultAction.deliverTwice());
    }

    private Publisher publisher() {
        return bus.address().publisher(Duration.ofSeconds(10));
    }

    private Relay relay(Publisher publisher) {
        return Relay.builder(database.dataSource())
                .schema(schemas.waybill())
                .destination(Entities.WALLET_TX)
                .publisher(publisher)
                .build();
    }

    private InboxConsumer consumer(Handler handler, ConsumerListener listener) {
        return InboxConsumer.builder(database.dataSource())
                .schema(schemas.waybill())
                .name("ledger")
                .source(bus.address().queue(Entities.WALLET_TX).withSessions())
                .tuning(tuning -> tuning.sessionIdle(Duration.ofMillis(50)).drain(Duration.ofSeconds(1)))
                .listener(listener)
                .handler(handler)
                .build();
    }

    private int entries() {
        return dsl.fetchCount(DSL.table(schemas.forge().table("ledger_entry")));
    }

    private Proof check() throws SQLException {
        var checker = new Checker(database.dataSource(), schemas.forge().value(), ":testrun1", bus.witness());
        return checker.check(new RunFacts(input.transactions(), input.resends(), 0, 0, 1));
    }

    /** Crashes after the settle and before the send, as far as the first shipment is concerned. */
    private record SettlesBeforeItSends(Publisher real, AtomicInteger dropped) implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            int rows = shipment.rows().size();
            return dropped.compareAndSet(0, rows)
                    ? CompletableFuture.completedFuture(PublishResult.accepted(rows))
                    : real.publish(shipment);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
