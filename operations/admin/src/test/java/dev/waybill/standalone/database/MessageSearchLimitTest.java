package dev.waybill.standalone.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.database.MessageSearch.Wanted;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class MessageSearchLimitTest {
    private final List<String> statements = new ArrayList<>();

    @Test
    void a_search_whose_reader_falls_silent_keeps_no_partition_from_being_emptied(TestDatabase database) {
        var schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        DataSource told = told(DataSource.class, database.dataSource());

        new MessageSearch(told, schema, Duration.ofSeconds(5)).search(new Wanted(Optional.empty(), "x"), null, 10);

        assertThat(statements.get(0)).isEqualTo("set local idle_in_transaction_session_timeout = 60000");
    }

    private <T> T told(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                MessageSearchLimitTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> told(method, call(target, method, arguments), arguments)));
    }

    private Object told(Method method, Object result, Object[] arguments) {
        if (method.getName().equals("prepareStatement")) {
            statements.add((String) arguments[0]);
        }
        return method.getName().equals("getConnection") ? told(Connection.class, result) : result;
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
