package shop;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Orders are in one database, the stock in another. */
@Configuration(proxyBeanMethods = false)
class Databases {
    @Bean
    @Primary
    @ConfigurationProperties("orders")
    HikariDataSource ordersData() {
        return new HikariDataSource();
    }

    @Bean
    @ConfigurationProperties("stock")
    HikariDataSource stockData() {
        return new HikariDataSource();
    }

    @Bean
    @Primary
    JdbcTransactionManager ordersTransactions(@Qualifier("ordersData") DataSource orders) {
        return new JdbcTransactionManager(orders);
    }

    @Bean
    JdbcTransactionManager stockTransactions(@Qualifier("stockData") DataSource stock) {
        return new JdbcTransactionManager(stock);
    }

    @Bean
    @Primary
    JdbcTemplate ordersJdbc(@Qualifier("ordersData") DataSource orders) {
        return new JdbcTemplate(orders);
    }

    @Bean
    JdbcTemplate stockJdbc(@Qualifier("stockData") DataSource stock) {
        return new JdbcTemplate(stock);
    }
}
