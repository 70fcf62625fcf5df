package dev.waybill.servicebus;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import dev.waybill.schema.SqlError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Run with {@code -Dwaybill.docs.write=true} to write the page anew. */
class ErrorsPageTest {
    private static final Path PAGE = Path.of("../docs/operations/errors.md");

    @Test
    void the_page_says_what_the_code_declares() throws IOException {
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.writeString(PAGE, markdown());
        }

        assertThat(PAGE).hasContent(markdown());
    }

    @Test
    void every_condition_that_the_client_library_knows_has_a_row() {
        assertThat(Arrays.stream(ServiceBusError.values()).map(ServiceBusError::condition))
                .doesNotHaveDuplicates()
                .containsAll(Arrays.stream(AmqpErrorCondition.values())
                        .map(AmqpErrorCondition::getErrorCondition)
                        .toList());
    }

    @Test
    void every_state_of_the_database_has_one_row() {
        assertThat(Arrays.stream(SqlError.values()).map(SqlError::state)).doesNotHaveDuplicates();
        assertThat(SqlError.of("57014")).isEqualTo(SqlError.CANCELLED);
        assertThat(SqlError.of("57P06")).isEqualTo(SqlError.INTERVENTION);
        assertThat(SqlError.of("42P01")).isEqualTo(SqlError.NO_TABLE);
        assertThat(SqlError.of("42601")).isEqualTo(SqlError.STATEMENT);
        assertThat(SqlError.of("P0001")).isNull();
    }

    private static String markdown() {
        return """
                # Errors of the broker and of PostgreSQL

                Waybill classifies each error once, in `ServiceBusError` and `SqlError`. This page is generated from them. A class says what happens next; no error ends
                a relay or a consumer.

                ## Conditions of Service Bus

                | class | the relay | a consumer | conditions |
                |---|---|---|---|
                %s
                Before a send, as when a link opens, no message is at fault: *message* counts as *destination*, and *unexplained* as *passing*. A condition without a row
                is *unexplained*. Time-outs, lost connections and other exceptions are *passing*. An unknown key in a connection string ends the start with exit code 2.

                `ErrorTableTest` raises each condition that the embedded broker has, at a send, at a link and at a settlement. [What happens when a send
                fails](../concepts/failed-sends.md) has the tests by hazard; the [runbooks](runbooks/README.md) say what to do.

                ## SQLSTATEs of PostgreSQL

                Two characters stand for all states of a class without a row of their own. Other states are retried.

                | kind | the relay | a consumer | SQLSTATEs |
                |---|---|---|---|
                %s
                A time zone that PostgreSQL does not know (`-Duser.timezone=IST`) refuses every connection: `waybill-relay run` ends with 1. Missing grants and row level
                security are found at the start, with the statement that mends them.
                """.formatted(
                        Arrays.stream(ErrorClass.values())
                                .map(type -> row(type, type.relay(), type.consumer(), conditions(type)))
                                .collect(Collectors.joining()),
                        Arrays.stream(SqlError.Kind.values())
                                .map(kind -> row(kind, kind.relay(), kind.consumer(), states(kind)))
                                .collect(Collectors.joining()));
    }

    private static String row(Enum<?> type, String relay, String consumer, String errors) {
        return "| %s | %s | %s | %s |%n".formatted(word(type), relay, consumer, errors);
    }

    private static String conditions(ErrorClass type) {
        return Arrays.stream(ServiceBusError.values())
                .filter(error -> error.type() == type)
                .map(error -> "`%s`: %s".formatted(error.condition(), error.meaning()))
                .collect(Collectors.joining("<br>"));
    }

    private static String states(SqlError.Kind kind) {
        return Arrays.stream(SqlError.values())
                .filter(error -> error.kind() == kind)
                .map(error -> "`%s`: %s".formatted(error.state(), error.meaning()))
                .collect(Collectors.joining("<br>"));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
