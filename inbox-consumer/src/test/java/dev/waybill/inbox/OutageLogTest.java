package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** The lines that a consumer with its dozens of loops logs about a database that goes away. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class OutageLogTest {
    /** A loop tells of that itself, once: before the outage is known, it may be this one connection. */
    private static final String CUT_WITHIN_A_STATEMENT = "An I/O error occurred while sending to the backend";

    /** A port where nobody listens. */
    private static final int NOBODY = 1;

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private InboxFixture inbox;
    private URI server;
    private TcpProxy network;
    private HikariDataSource pool;

    @BeforeEach
    void put_a_network_between(TestDatabase database) {
        inbox = InboxFixture.migrated(database);
        server = URI.create(database.server().jdbcUrl().substring("jdbc:".length()));
        network = TcpProxy.to(new InetSocketAddress(server.getHost(), server.getPort()));
        pool = new HikariDataSource();
        pool.setJdbcUrl(database.server()
                .jdbcUrl()
                .replace(server.getHost() + ":" + server.getPort(), "localhost:" + network.port()));
        pool.setMaximumPoolSize(8);
        pool.setConnectionTimeout(250);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void take_it_away() {
        logger.detachAppender(log);
        pool.close();
        network.close();
    }

    @Test
    @Tag("long")
    void a_database_that_is_away_and_back_is_two_lines_for_all_loops_and_no_stack_trace() {
        try (var consumer = consumer()) {
            consumer.start();
            await().until(() -> inbox.count("inbox_instance") == 1);

            network.leadTo(NOBODY);
            network.cut();
            await().atMost(Duration.ofSeconds(20)).until(() -> failures(consumer) > 8);
            network.leadTo(server.getPort());
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> !told("can be used again").isEmpty());
        }

        assertThat(log.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
                .allMatch(line -> line.getThrowableProxy() == null);
        // Told again for another reason; and before the network was cut, connections that were open may have worked
        // once more.
        assertThat(told("cannot be used")).hasSizeLessThan(5);
        assertThat(told("A turn of"))
                .allMatch(line -> line.contains(CUT_WITHIN_A_STATEMENT))
                .doesNotHaveDuplicates();
        assertThat(told("cannot be used").get(0))
                .startsWith("The database at localhost:" + network.port() + "/")
                .contains("consumer 'test' waits for it");
        assertThat(told("can be used again")).hasSizeBetween(1, 2);
    }

    private static long failures(InboxConsumer consumer) {
        return consumer.health().loops().stream()
                .mapToLong(ConsumerHealth.Loop::failures)
                .sum();
    }

    private List<String> told(String words) {
        return List.copyOf(log.list).stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(words))
                .toList();
    }

    private InboxConsumer consumer() {
        return InboxConsumer.builder(pool)
                .schema(inbox.schema)
                .name("test")
                .source(new ConsumerStartTest.Nothing(new CountDownLatch(1)))
                .handler(InboxFixture.DONE)
                .tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(300)))
                .build();
    }
}
