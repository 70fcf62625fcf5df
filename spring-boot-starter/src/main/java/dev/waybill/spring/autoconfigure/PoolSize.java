package dev.waybill.spring.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.util.ClassUtils;

/**
 * Whether a pool has room for a consumer. Each handler holds a connection, and may need another: a service that
 * asks for a transaction of its own, the consumer's records. A pool that handlers alone can empty stands still
 * then.
 */
final class PoolSize {
    /** What a consumer needs beside those of its handlers. */
    private static final int TO_SPARE = 4;

    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolSize.class.getClassLoader());

    private PoolSize() {}

    /** @throws IllegalStateException if the pool is known and too small */
    static void require(DataSource dataSource, String consumer, int concurrency) {
        if (HIKARI) {
            Hikari.require(dataSource, consumer, concurrency);
        }
    }

    private static final class Hikari {
        static void require(DataSource dataSource, String consumer, int concurrency) {
            int most = most(dataSource);
            if (most <= concurrency + TO_SPARE) {
                throw new IllegalStateException("Consumer '" + consumer + "' handles " + concurrency
                        + " at a time and needs " + (concurrency + TO_SPARE)
                        + " connections, the service some more, and"
                        + " the pool has " + most
                        + " in all; raise spring.datasource.hikari.maximum-pool-size to more than "
                        + (concurrency + TO_SPARE) + ", or lower waybill.consumers." + consumer + ".concurrency");
            }
        }

        private static int most(DataSource dataSource) {
            try {
                return dataSource.isWrapperFor(HikariDataSource.class)
                        ? dataSource.unwrap(HikariDataSource.class).getMaximumPoolSize()
                        : Integer.MAX_VALUE;
            } catch (SQLException e) {
                return Integer.MAX_VALUE;
            }
        }
    }
}
