package dev.waybill.walletforge.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.walletforge.demo.proof.Damage;
import dev.waybill.walletforge.demo.proof.Money;
import dev.waybill.walletforge.demo.proof.Proof;
import dev.waybill.walletforge.demo.proof.RunFacts;
import dev.waybill.walletforge.demo.proof.Traffic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private final StringWriter written = new StringWriter();
    private final AtomicLong now = new AtomicLong();
    private final PrintWriter out = new PrintWriter(written, true);

    @Test
    void plain_output_has_a_line_per_second_or_tenth_and_none_for_standing_still() {
        var screen = new PlainLines(out, now::get);
        screen.progress(progress(0));
        screen.progress(progress(5));
        screen.progress(progress(10));
        screen.progress(progress(11));
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        screen.progress(progress(12));
        now.addAndGet(TimeUnit.SECONDS.toNanos(5));
        screen.progress(progress(12));
        screen.progress(progress(13));
        screen.end();

        assertThat(written.toString().lines().map(line -> line.replaceAll(".*applied ", "")))
                .containsExactly("10", "12", "13");
    }

    @Test
    void a_terminal_has_one_line_that_is_rewritten_and_events_above_it() {
        var screen = Screen.on(out, true);
        screen.progress(progress(1));
        screen.event("relay killed");
        screen.progress(progress(2));
        screen.end();

        String clear = "\r\u001b[2K";
        assertThat(written.toString().replace(System.lineSeparator(), "\n"))
                .isEqualTo(clear + progress(1).text() + clear + "relay killed\n"
                        + progress(1).text() + clear + progress(2).text() + "\n");
    }

    @Test
    void the_live_line_fits_a_terminal() {
        assertThat(new Progress(1_000_000, 1_000_000, 1_000_000, 1_000_000, 4).text())
                .hasSizeLessThan(80);
    }

    @Test
    void the_table_ends_with_the_verdict() {
        assertThat(ProofTable.of(proof(0))).endsWith("The proof holds.").doesNotContain("NOT");
        assertThat(ProofTable.of(proof(2)))
                .endsWith("THE PROOF DOES NOT HOLD.")
                .containsPattern("lost +2  NOT OK")
                .containsPattern("money in +1,234.05");
    }

    private static Progress progress(long applied) {
        return new Progress(100, applied, applied, applied, 0);
    }

    private static Proof proof(long lost) {
        var money = new Money(0, BigInteger.valueOf(123_405), BigInteger.ZERO, BigInteger.valueOf(123_405));
        return new Proof(new Traffic(1, 0, 1, 1, 0), new Damage(0, lost, 0, 0, 0), money, new RunFacts(1, 0, 0, 0, 1));
    }
}
