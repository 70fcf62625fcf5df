package dev.waybill.jakarta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of docs/guides/jakarta-transactions.md. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class JakartaPageTest {
    private static final Path THIS = Path.of("src/test/java/dev/waybill/jakarta/JakartaPageTest.java");
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_code_of_the_page_is_that_of_this_test() throws IOException {
        String here = plain(Files.readString(THIS));

        assertThat(JAVA.matcher(Files.readString(Path.of("../../docs/guides/jakarta-transactions.md")))
                        .results()
                        .map(block -> plain(block.group(1))))
                .hasSize(3)
                .allSatisfy(code -> assertThat(here).contains(code));
    }

    @Test
    void the_outbox_of_the_page_asks_for_the_threads_transaction(TestDatabase database) {
        var narayana = new NarayanaTransactions(database.dataSource());
        try {
            var bookings = new Bookings(outbox(narayana.registry, narayana.enlisted, Runnable::run));

            assertThatThrownBy(() -> bookings.book("b-1")).isInstanceOf(NoTransactionException.class);
            assertThat(bookings.consumer(narayana.user, narayana.enlisted)).isNotNull();
        } finally {
            narayana.enlisted.close();
        }
    }

    private static Outbox outbox(
            TransactionSynchronizationRegistry registry, DataSource dataSource, Executor executor) {
        Outbox outbox = Outbox.builder()
                .transactions(JakartaTransaction.of(registry, dataSource).wakingOn(executor))
                .build();
        return outbox;
    }

    private static final class Bookings {
        private final List<String> persisted = new ArrayList<>();
        private final Outbox outbox;

        Bookings(Outbox outbox) {
            this.outbox = outbox;
        }

        @Transactional
        void book(String booking) {
            persisted.add(booking);
            outbox.append(OutboxMessage.to("bookings").id(booking).text(booking).build());
        }

        InboxConsumer.Builder consumer(UserTransaction userTransaction, DataSource dataSource) {
            Bookings bookings = this;
            InboxConsumer.Builder consumer = InboxConsumer.builder(dataSource)
                    .transactions(new JakartaTransactionBoundary(userTransaction, dataSource))
                    .handler((tx, message) -> {
                        bookings.book(message.text());
                        return Verdict.done();
                    });
            return consumer;
        }
    }

    private static String plain(String code) {
        return code.replaceAll("\\s+", "");
    }
}
