package dev.waybill.walletforge.demo.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.InvalidMessageException;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.demo.input.GeneratedLoad;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class IntakeTest {
    private ForgeSchemas schemas;
    private DSLContext dsl;
    private Intake intake;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        schemas = new ForgeSchemas(new SchemaName(database.schema() + "_app"), new SchemaName(database.schema()));
        schemas.migrate(database.dataSource());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        intake = Accepted.of(database.dataSource(), schemas, "testrun1");
    }

    @Test
    void a_resend_has_no_effect_whatever_it_says() {
        assertThat(intake.accept(new Payment("t", "w", Kind.CREDIT, 1))).isTrue();
        assertThat(intake.accept(new Payment("t", "other", Kind.DEBIT, 2))).isFalse();

        assertThat(payments()).containsExactly("t w credit 1");
        assertThat(messages()).containsExactly("t:testrun1 w");
    }

    @Test
    void a_payment_whose_message_cannot_be_stored_is_not_stored_either() {
        var tooLong = new Payment("t".repeat(120), "w", Kind.CREDIT, 1);

        assertThatThrownBy(() -> intake.accept(tooLong)).isInstanceOf(InvalidMessageException.class);

        assertThat(payments()).isEmpty();
    }

    @Test
    void the_first_of_several_lines_wins_however_the_writers_race() {
        var lines = new ArrayList<Payment>();
        for (int i = 0; i < 200; i++) {
            // Twice the same tx_id, each time with wallets that belong to different writers.
            lines.add(new Payment("t" + i, "first" + i, Kind.CREDIT, 1));
            lines.add(new Payment("t" + i, "second" + i, Kind.CREDIT, 2));
        }

        takeIn(lines);

        assertThat(payments()).hasSize(200).allMatch(payment -> payment.contains(" first"));
    }

    @Test
    void the_messages_of_a_wallet_stand_in_the_order_of_its_lines() {
        var lines = new GeneratedLoad(500, 7, 7).payments().lines();

        takeIn(lines);

        for (int i = 1; i <= 7; i++) {
            String wallet = "wallet-0000" + i;
            var expected = lines.stream()
                    .filter(line -> line.walletId().equals(wallet))
                    .map(line -> line.txId() + ":testrun1 " + wallet)
                    .distinct()
                    .toList();
            assertThat(messages())
                    .filteredOn(message -> message.endsWith(wallet))
                    .isEqualTo(expected);
        }
    }

    @Test
    void a_failing_writer_ends_the_run_although_the_others_wait() {
        var lines = new GeneratedLoad(50, 20, 7).payments().lines();
        Pace pace = position -> {
            if (position == 0) {
                throw new IllegalStateException("planted");
            }
            Thread.sleep(Long.MAX_VALUE);
        };

        try (var run = IntakeRun.start(intake, List.of(lines.get(3), lines.get(0), lines.get(1)), 4, pace)) {
            assertThatThrownBy(run::join)
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseMessage("planted");
        }
    }

    private void takeIn(List<Payment> lines) {
        try (var run = IntakeRun.start(intake, lines, 4, Pace.UNLIMITED)) {
            run.join();
            assertThat(run.taken()).isEqualTo(lines.size());
        }
    }

    private List<String> payments() {
        return dsl.fetch("select concat_ws(' ', tx_id, wallet_id, kind, amount_cents) from "
                        + schemas.forge().table("payment") + " order by position")
                .getValues(0, String.class);
    }

    private List<String> messages() {
        return dsl.fetch("select message_id || ' ' || session_id from "
                        + schemas.waybill().table("outbox_message") + " order by seq")
                .getValues(0, String.class);
    }
}
