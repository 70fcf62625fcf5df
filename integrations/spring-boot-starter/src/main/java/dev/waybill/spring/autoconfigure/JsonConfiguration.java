package dev.waybill.spring.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * How bodies are read: by the mapper that the service has, the newer one if it has both. It is looked for when a handler takes JSON:
 * a service without such a handler may have several.
 */
@Configuration(proxyBeanMethods = false)
class JsonConfiguration {
    @Order(1)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "tools.jackson.databind.ObjectMapper")
    @ConditionalOnBean(type = "tools.jackson.databind.ObjectMapper")
    static class Jackson3 {
        @Bean
        JsonReader waybillJsonReader(ListableBeanFactory beans) {
            return new Jackson3Reader(() -> Choice.only(beans, tools.jackson.databind.ObjectMapper.class)
                    .orElseThrow());
        }
    }

    @Order(2)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "com.fasterxml.jackson.databind.ObjectMapper")
    @ConditionalOnBean(type = "com.fasterxml.jackson.databind.ObjectMapper")
    @ConditionalOnMissingBean(JsonReader.class)
    static class Jackson2 {
        @Bean
        JsonReader waybillJsonReader(ListableBeanFactory beans) {
            return new Jackson2Reader(() -> Choice.only(beans, com.fasterxml.jackson.databind.ObjectMapper.class)
                    .orElseThrow());
        }
    }
}
