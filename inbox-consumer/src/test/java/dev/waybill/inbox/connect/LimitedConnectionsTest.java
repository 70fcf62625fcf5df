package dev.waybill.inbox.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.ThreadBoundTransactions;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class LimitedConnectionsTest {
    @Test
    void a_connection_that_takes_no_limit_at_all_goes_back_to_its_pool() {
        List<String> calls = new ArrayList<>();
        Connection old = ThreadBoundTransactions.proxy(Connection.class, (method, arguments) -> {
            calls.add(method.getName());
            if (method.getName().equals("getNetworkTimeout")) {
                throw new AbstractMethodError("getNetworkTimeout");
            }
            return null;
        });
        DataSource pool = ThreadBoundTransactions.proxy(DataSource.class, (method, arguments) -> old);
        var connections = new LimitedConnections(pool, AnswerLimit.of(Duration.ofSeconds(1)));

        assertThatThrownBy(connections::acquire).isInstanceOf(AbstractMethodError.class);

        assertThat(calls).contains("close");
    }
}
