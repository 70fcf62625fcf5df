package dev.waybill.servicebus.embedded.filter;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A filter in the SQL dialect of subscription rules; see the package for its grammar. */
public final class SqlFilter implements RuleFilter {

    private final String expression;
    private final Parameters parameters;
    private final Condition condition;

    private SqlFilter(String expression, Parameters parameters, Condition condition) {
        this.expression = expression;
        this.parameters = parameters;
        this.condition = condition;
    }

    public static SqlFilter parse(String expression) {
        return parse(expression, Map.of());
    }

    /**
     * A filter with {@code @name} parameters; the map's keys may omit the at sign and ignore case.
     *
     * @throws FilterSyntaxException if the expression is invalid or a parameter is missing
     */
    public static SqlFilter parse(String expression, Map<String, ? extends @Nullable Object> parameters) {
        Parameters values = new Parameters(parameters);
        TokenStream tokens = new TokenStream(Lexer.scan(expression));
        return new SqlFilter(expression, values, new ConditionParser(tokens, values).parse());
    }

    @Override
    public boolean matches(FilterableMessage message) {
        return condition.test(message) == Truth.TRUE;
    }

    public String expression() {
        return expression;
    }

    public Map<String, @Nullable Object> parameters() {
        return parameters.given();
    }

    @Override
    public String toString() {
        return expression;
    }
}
