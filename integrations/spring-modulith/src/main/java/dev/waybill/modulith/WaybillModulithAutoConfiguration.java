package dev.waybill.modulith;

import dev.waybill.outbox.Outbox;
import dev.waybill.spring.autoconfigure.WaybillOutboxAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;

/** Leads externalized events to the outbox. {@code spring.modulith.events.externalization.enabled: false} switches it off. */
@AutoConfiguration(after = {WaybillOutboxAutoConfiguration.class, EventExternalizationAutoConfiguration.class})
@ConditionalOnBean({Outbox.class, EventExternalizationConfiguration.class})
public final class WaybillModulithAutoConfiguration {
    @Bean
    OutboxExternalizer waybillOutboxExternalizer(
            EventExternalizationConfiguration externalized, BeanFactory beans, ObjectProvider<Outbox> outbox) {
        var expressions = new StandardEvaluationContext();
        expressions.setBeanResolver(new BeanFactoryResolver(beans));
        return new OutboxExternalizer(externalized, expressions, outbox);
    }
}
