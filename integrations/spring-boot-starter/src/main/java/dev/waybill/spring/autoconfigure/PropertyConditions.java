package dev.waybill.spring.autoconfigure;

import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Conditions on the properties, asked before there are beans. */
final class PropertyConditions {
    private PropertyConditions() {}

    /** There is something to publish, and this process is to do it. */
    static final class RelayWanted implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            PropertyGroups.refuseValues(environment);
            return hasDestinations(environment) && mayRun(environment);
        }
    }

    /** This process is to publish, and nothing says what. */
    static final class RelayWithoutDestinations implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            PropertyGroups.refuseValues(environment);
            return !hasDestinations(environment) && mayRun(environment);
        }
    }

    private static boolean hasDestinations(Environment environment) {
        return Binder.get(environment)
                .bind("waybill.destinations", Bindable.mapOf(String.class, Object.class))
                .map(Map::isEmpty)
                .map(empty -> !empty)
                .orElse(false);
    }

    private static boolean mayRun(Environment environment) {
        return environment.getProperty("waybill.relay.enabled", Boolean.class, true);
    }

    /** This process looks after the tables. */
    static final class MigrationsWanted implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return Binder.get(context.getEnvironment())
                    .bind("waybill.migrations", WaybillProperties.MigrationsMode.class)
                    .map(mode -> mode != WaybillProperties.MigrationsMode.OFF)
                    .orElse(false);
        }
    }
}
