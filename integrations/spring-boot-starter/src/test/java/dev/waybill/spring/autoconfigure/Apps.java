package dev.waybill.spring.autoconfigure;

import dev.waybill.spring.TestService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Applications of Spring Boot on the service, each with the properties that a test gives it. */
final class Apps {
    /** Hibernate takes longer to start than all the rest. */
    static final String WITHOUT_JPA = "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration";

    private final Map<String, Object> properties = new TreeMap<>();
    private final List<Class<?>> sources = new ArrayList<>();

    private Apps() {}

    /** An application with a data source and plain JDBC. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}

    /** An application on the service's database and broker, with Waybill's tables there. */
    static Apps on(TestService service) {
        return new Apps()
                .with("spring.datasource.url", service.jdbcUrl())
                .with("spring.autoconfigure.exclude", WITHOUT_JPA)
                .with("spring.data.jpa.repositories.enabled", "false")
                .with("spring.main.banner-mode", "off")
                .with("spring.liquibase.enabled", "false")
                .with("waybill.schema", service.schema().value())
                .with("waybill.servicebus.connection-string", service.bus().connectionString())
                .and(Plain.class);
    }

    Apps with(String property, Object value) {
        properties.put(property, value);
        return this;
    }

    Apps and(Class<?> configuration) {
        sources.add(configuration);
        return this;
    }

    /** A consumer of a queue, under the queue's name. */
    Apps consuming(String queue) {
        return with("waybill.consumers." + queue + ".queue", queue).with("waybill.consumers." + queue + ".drain", "2s");
    }

    ConfigurableApplicationContext run() {
        return builder().run();
    }

    SpringApplicationBuilder builder() {
        String[] given = properties.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
        return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .properties(given);
    }
}
