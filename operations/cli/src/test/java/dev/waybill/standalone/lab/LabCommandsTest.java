package dev.waybill.standalone.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(PostgresExtension.class)
@Timeout(60)
class LabCommandsTest {
    @TempDir
    private Path directory;

    @Test
    void a_peek_says_how_many_messages_it_does_not_show(TestDatabase database) {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                        .queue("orders", queue -> queue)
                        .administrationPort(0)
                        .start();
                var sender = new ServiceBusClientBuilder()
                        .connectionString(bus.connectionString())
                        .sender()
                        .queueName("orders")
                        .buildClient()) {
            sender.sendMessages(IntStream.range(0, 50)
                    .mapToObj(i -> new ServiceBusMessage("m" + i))
                    .toList());
            Program program = Program.with(
                    directory,
                    Program.database(database) + """
                    namespace: { main: { connection-string: "%s", administration-endpoint: "http://127.0.0.1:%d" } }
                    destination: { orders: {} }
                    """.formatted(bus.connectionString(), bus.administrationPort()));

            assertThat(program.run("lab", "peek", "orders").out())
                    .contains("There are 30 more than these 20; --most N");
            assertThat(program.run("lab", "peek", "orders", "--most", "50").out())
                    .doesNotContain("more than");
        }
    }

    @Test
    void many_messages_are_appended_in_one_command(TestDatabase database) {
        String schema = Program.tables(database).toString();
        Program program = Program.with(directory, Program.database(database));

        Result appended =
                program.run("lab", "append", "orders", "--id", "a", "--session", "s", "--text", "x", "--count", "50");

        assertThat(appended.out()).as(appended.err()).contains("appended: a-1 to a-50");
        assertThat(DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                        .fetchCount(DSL.table(schema + ".outbox_message")))
                .isEqualTo(50);
    }
}
