package dev.waybill.inbox.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.FailurePolicy;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong answer ends a message that would have been handled later, or tries for ever one that never will be. */
class DatabaseErrorsTest {
    @ParameterizedTest
    @CsvSource({
        "08006, down transient, TRANSIENT",
        "28P01, down transient, TRANSIENT",
        "3D000, down transient, TRANSIENT",
        "53300, down transient, TRANSIENT",
        "53100, down transient, TRANSIENT",
        "57P01, down transient, TRANSIENT",
        "57P05, down transient, TRANSIENT",
        "58030, down transient, TRANSIENT",
        "25006, down transient, TRANSIENT",
        "40001, busy collision transient, TRANSIENT",
        "40P01, busy collision transient, TRANSIENT",
        "55P03, busy transient, TRANSIENT",
        "57014, busy, ",
        "25P03, transient, TRANSIENT",
        "25P04, transient, TRANSIENT",
        "42501, denied, ",
        "42P01, denied, ",
        "42883, denied, ",
        "3F000, denied, ",
        "22001, bad refused, PERMANENT",
        "22P02, bad refused, PERMANENT",
        "23502, bad refused, PERMANENT",
        "23514, bad refused, PERMANENT",
        "54000, refused, ",
        "23505, '', ",
        "23503, '', ",
        "0A000, '', ",
        "42703, '', ",
        "P0001, '', ",
        "XX000, '', ",
    })
    void a_sqlstate_means_the_same_however_deep_it_lies(String state, String meaning, FailureKind kind) {
        var bare = new SQLException("planted", state);
        for (Throwable thrown : List.of(bare, new IllegalStateException(new RuntimeException(bare)))) {
            assertThat(meaning(thrown)).isEqualTo(meaning);
            assertThat(FailurePolicy.STANDARD.classify(thrown)).isEqualTo(Optional.ofNullable(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "08", "080066", "unknown"})
    void what_is_no_sqlstate_means_nothing(String state) {
        assertThat(meaning(new SQLException("planted", state))).isEmpty();
    }

    /** Drivers and pools throw them without a SQLSTATE. */
    @Test
    void a_type_of_jdbc_tells_what_its_missing_sqlstate_does_not() {
        assertThat(meaning(new SQLTransientConnectionException("no connection in time")))
                .isEqualTo("down transient");
        assertThat(meaning(new SQLNonTransientConnectionException("refused"))).isEqualTo("down transient");
        assertThat(meaning(new SQLTransientException("later", "P0001"))).isEqualTo("transient");
        assertThat(meaning(new SQLException("who knows"))).isEmpty();
        assertThat(meaning(new IllegalStateException("no database at all"))).isEmpty();
    }

    @Test
    @Timeout(10)
    void causes_that_go_round_in_a_circle_come_to_an_end() {
        var one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("other", one));

        assertThat(meaning(one)).isEmpty();
    }

    @Test
    void the_deepest_cause_that_counts_is_the_twentieth() {
        Throwable nineteen = nested(new SQLException("planted", "40001"), 19);

        assertThat(DatabaseErrors.isCollision(nineteen)).isTrue();
        assertThat(DatabaseErrors.isCollision(new IllegalStateException(nineteen)))
                .isFalse();
    }

    @Test
    void a_policy_of_the_application_is_asked_first_and_the_standard_for_the_rest() {
        FailurePolicy ours =
                thrown -> thrown.getMessage().equals("known") ? Optional.of(FailureKind.PERMANENT) : Optional.empty();
        FailurePolicy both = ours.or(FailurePolicy.STANDARD);

        assertThat(both.classify(new SQLException("known", "40001"))).contains(FailureKind.PERMANENT);
        assertThat(both.classify(new SQLException("unknown", "40001"))).contains(FailureKind.TRANSIENT);
        assertThat(both.classify(new IllegalStateException("unknown"))).isEmpty();
    }

    private static Throwable nested(Throwable cause, int times) {
        return times == 0 ? cause : new IllegalStateException(nested(cause, times - 1));
    }

    private static String meaning(Throwable thrown) {
        var words = new ArrayList<String>();
        add(words, "bad", DatabaseErrors.isBadData(thrown));
        add(words, "busy", DatabaseErrors.isBusy(thrown));
        add(words, "collision", DatabaseErrors.isCollision(thrown));
        add(words, "denied", DatabaseErrors.isDenied(thrown));
        add(words, "down", DatabaseErrors.isDatabaseDown(thrown));
        add(words, "refused", DatabaseErrors.isRefusedValue(thrown));
        add(words, "transient", DatabaseErrors.isTransient(thrown));
        return String.join(" ", words);
    }

    private static void add(List<String> words, String word, boolean applies) {
        if (applies) {
            words.add(word);
        }
    }
}
