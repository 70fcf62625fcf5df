package dev.waybill.spring.servicebus;

import com.azure.core.credential.TokenCredential;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The credential of this service: the bean that is named, the only bean, what Spring Cloud Azure's properties say,
 * or Azure's default one, in this order.
 */
final class Credentials implements Supplier<TokenCredential> {
    /** The bean that Spring Cloud Azure makes whatever the properties say; they come first there, too. */
    private static final String AZURES_DEFAULT = "springCloudAzureDefaultCredential";

    private final ConfigurableListableBeanFactory beans;
    private final AzureProperties properties;

    Credentials(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        properties = new AzureProperties(environment);
    }

    /** @throws IllegalStateException if there is none, or several, and what to do about it */
    @Override
    public TokenCredential get() {
        String name = properties.credential("token-credential-bean-name");
        if (name != null) {
            return beans.getBean(name, TokenCredential.class);
        }
        @Nullable TokenCredential own = ownBean();
        if (own != null) {
            return own;
        }
        if (properties.hasCredential()) {
            requireIdentity();
            return IdentityCredentials.of(properties);
        }
        if (beans.containsBean(AZURES_DEFAULT)) {
            return beans.getBean(AZURES_DEFAULT, TokenCredential.class);
        }
        requireIdentity();
        return IdentityCredentials.azuresDefault();
    }

    private @Nullable TokenCredential ownBean() {
        List<String> names = Arrays.stream(beans.getBeanNamesForType(TokenCredential.class))
                .filter(name -> !name.equals(AZURES_DEFAULT))
                .toList();
        if (names.isEmpty()) {
            return null;
        }
        if (names.size() == 1) {
            return beans.getBean(names.get(0), TokenCredential.class);
        }
        TokenCredential first = beans.getBeanProvider(TokenCredential.class).getIfUnique();
        if (first == null) {
            throw new IllegalStateException("There are several beans of type TokenCredential, " + names
                    + "; make the one for Service Bus @Primary, or name it in"
                    + " spring.cloud.azure.servicebus.credential.token-credential-bean-name");
        }
        return first;
    }

    private void requireIdentity() {
        if (!ClassUtils.isPresent("com.azure.identity.DefaultAzureCredentialBuilder", beans.getBeanClassLoader())) {
            throw new IllegalStateException("A namespace without a bean of type TokenCredential needs the dependency"
                    + " com.azure:azure-identity, which is not on the class path; add it, add such a bean, or set"
                    + " waybill.servicebus.connection-string");
        }
    }
}
