package dev.waybill.modulith;

import dev.waybill.outbox.Outbox;
import dev.waybill.spring.autoconfigure.WaybillOutboxAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;

/** Leads externalized events to the outbox. {@code spring.modulith.events.externalization.enabled: false} switches it off. */
@AutoConfiguration(
        after = WaybillOutboxAutoConfiguration.class,
        afterName = "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration")
@ConditionalOnBean(Outbox.class)
@ConditionalOnProperty(name = "spring.modulith.events.externalization.enabled", matchIfMissing = true)
public final class WaybillModulithAutoConfiguration {
    /** As Modulith's, which is there with its registry of events: what is annotated in the service's own packages. */
    @Bean
    @ConditionalOnMissingBean
    EventExternalizationConfiguration waybillExternalized(BeanFactory beans) {
        return EventExternalizationConfiguration.defaults(AutoConfigurationPackages.get(beans))
                .build();
    }

    @Bean
    OutboxExternalizer waybillOutboxExternalizer(
            EventExternalizationConfiguration externalized, BeanFactory beans, ObjectProvider<Outbox> outbox) {
        var expressions = new StandardEvaluationContext();
        expressions.setBeanResolver(new BeanFactoryResolver(beans));
        return new OutboxExternalizer(externalized, expressions, outbox);
    }
}
