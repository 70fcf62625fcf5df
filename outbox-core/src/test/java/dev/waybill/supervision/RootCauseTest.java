package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

class RootCauseTest {
    @Test
    void what_libraries_wrap_around_the_reason_is_left_out() {
        var met = new CompletionException(new IllegalStateException(
                "Retries exhausted: 0/0",
                new IllegalStateException(
                        "The service is busy, errorContext[NAMESPACE: shop.servicebus.windows.net. ERROR CONTEXT: N/A,"
                                + " PATH: orders, REFERENCE_ID: 17, LINK_CREDIT: 964]")));

        assertThat(RootCause.of(met)).isEqualTo("The service is busy (shop.servicebus.windows.net)");
    }

    @Test
    void a_reason_of_many_lines_is_one_line_and_a_long_one_is_cut() {
        assertThat(RootCause.of(new SQLException("no\n  Detail: never.\nHint: none")))
                .isEqualTo("no; Detail: never; Hint: none");
        assertThat(RootCause.of(new SQLException("x".repeat(10_000)))).hasSizeLessThan(500);
    }

    @Test
    void the_row_that_breaks_a_constraint_is_not_told_and_the_constraint_is() {
        var broken = new PSQLException(new ServerErrorMessage("SERROR\0VERROR\0C23502\0Mnull value in column \"a\"\0"
                + "DFailing row contains (1, {\"iban\": 17}).\0nno_nulls\0"));
        assertThat(broken.getMessage()).contains("iban");

        assertThat(RootCause.of(new IllegalStateException("SQL [insert]; " + broken.getMessage(), broken)))
                .isEqualTo("ERROR: null value in column \"a\" (constraint no_nulls) [23502]");
        assertThat(ErrorDetails.without("wrapped: " + broken.getMessage(), new CompletionException(broken)))
                .isEqualTo("wrapped: ERROR: null value in column \"a\" (constraint no_nulls) [23502]");
    }

    @Test
    void a_time_out_of_the_brokers_library_says_that_nobody_answered() {
        assertThat(RootCause.of(new TimeoutException(
                        "Did not observe any item or terminal signal within 2000ms in 'onErrorResume'"
                                + " (and no fallback has been configured)")))
                .isEqualTo("no answer within 2000 ms");
    }

    @Test
    void a_host_that_nobody_knows_is_named() {
        assertThat(RootCause.of(
                        new SQLException("The connection attempt failed.", "08001", new UnknownHostException("db"))))
                .isEqualTo("The connection attempt failed: unknown host db");
    }

    @Test
    void an_exception_that_throws_when_it_is_asked_is_told_by_its_type() {
        assertThat(RootCause.of(new IllegalStateException() {
                    @Override
                    public String getMessage() {
                        throw new IllegalStateException("hostile");
                    }
                }))
                .isNotNull();
    }

    @Test
    void causes_that_go_round_in_a_circle_come_to_an_end() {
        var first = new IllegalStateException("first");
        first.initCause(new IllegalStateException("second", first));

        assertThat(RootCause.of(first)).contains("first");
    }

    @Test
    void a_wrong_statement_is_the_programs_fault_and_a_network_is_not() {
        assertThat(RootCause.isOutside(new SQLException("syntax error", "42601")))
                .isFalse();
        assertThat(RootCause.isOutside(new SQLException("duplicate key", "23505")))
                .isFalse();
        assertThat(RootCause.isOutside(new IllegalArgumentException("defect"))).isFalse();
        assertThat(RootCause.isOutside(new IllegalStateException(new OutOfMemoryError())))
                .isFalse();
        assertThat(RootCause.isOutside(new SQLException("permission denied", "42501")))
                .isTrue();
        assertThat(RootCause.isOutside(new SQLException("deadlock detected", "40P01")))
                .isTrue();
        assertThat(RootCause.isOutside(new IllegalStateException(new ConnectException("refused"))))
                .isTrue();
        assertThat(RootCause.isOutside(new TimeoutException("30 s"))).isTrue();
    }

    @Test
    void an_address_says_hosts_and_database_and_no_secret() {
        assertThat(DatabaseAddress.of("jdbc:postgresql://a:1,b:2/shop?user=u&password=secret"))
                .isEqualTo("a:1,b:2/shop");
        assertThat(DatabaseAddress.of((String) null)).isEmpty();
        assertThat(DatabaseAddress.of("jdbc:other:secret")).isEmpty();
    }
}
