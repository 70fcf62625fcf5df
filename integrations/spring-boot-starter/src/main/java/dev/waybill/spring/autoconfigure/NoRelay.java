package dev.waybill.spring.autoconfigure;

import dev.waybill.relay.Relay;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Says that no relay starts although none is switched off: nothing names what it would publish. */
final class NoRelay implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(NoRelay.class);

    private final ConfigurableListableBeanFactory beans;
    private final WaybillProperties properties;
    private final Environment environment;

    NoRelay(ConfigurableListableBeanFactory beans, WaybillProperties properties, Environment environment) {
        this.beans = beans;
        this.properties = properties;
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (properties.relay().enabled()
                && properties.destinations().isEmpty()
                && beans.getBeanNamesForType(Relay.class, true, false).length == 0) {
            LOG.atLevel(isMeant() ? Level.INFO : Level.WARN)
                    .log(
                            "No relay starts in this process, because waybill.destinations names no destination."
                                    + " Messages wait in the outbox until another process publishes them. Name each destination with"
                                    + " at least one property, as in waybill.destinations.orders.sessions=true: Spring Boot drops an"
                                    + " entry that is empty, such as 'orders: {}'. If others publish, set waybill.relay.enabled=false");
        }
    }

    // A service that only consumes needs no relay.
    private boolean isMeant() {
        return !properties.consumers().isEmpty()
                && Binder.get(environment)
                        .bind("waybill.relay", Bindable.mapOf(String.class, Object.class))
                        .map(Map::isEmpty)
                        .orElse(true);
    }
}
