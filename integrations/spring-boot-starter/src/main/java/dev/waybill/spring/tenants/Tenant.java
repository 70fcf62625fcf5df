package dev.waybill.spring.tenants;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A tenant and its database. Thread-safe. */
final class Tenant {
    private final String name;
    private final DataSource dataSource;
    private final Consumer<DataSource> preparation;
    private boolean prepared;
    private volatile @Nullable String url;

    /** {@code preparation} is done once, when the database can be reached for the first time. */
    Tenant(String name, DataSource dataSource, Consumer<DataSource> preparation) {
        this.name = name;
        this.dataSource = dataSource;
        this.preparation = preparation;
    }

    String name() {
        return name;
    }

    DataSource dataSource() {
        return dataSource;
    }

    synchronized void prepare() throws SQLException {
        if (!prepared) {
            try (Connection connection = dataSource.getConnection()) {
                url = connection.getMetaData().getURL();
            }
            preparation.accept(dataSource);
            prepared = true;
        }
    }

    /** The URL of its database; null as long as that has not been reached. */
    @Nullable String url() {
        return url;
    }
}
