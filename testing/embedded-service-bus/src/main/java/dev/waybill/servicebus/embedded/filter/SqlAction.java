package dev.waybill.servicebus.embedded.filter;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The SET and REMOVE statements of a rule, which edit the selected copy. */
public final class SqlAction {

    private final String expression;
    private final Parameters parameters;
    private final List<Statement> statements;

    private SqlAction(String expression, Parameters parameters, List<Statement> statements) {
        this.expression = expression;
        this.parameters = parameters;
        this.statements = statements;
    }

    public static SqlAction parse(String expression) {
        return parse(expression, Map.of());
    }

    /**
     * An action with {@code @name} parameters; the map's keys may omit the at sign and ignore case.
     *
     * @throws FilterSyntaxException if the expression is invalid, a parameter is missing, or a system property is read-only
     */
    public static SqlAction parse(String expression, Map<String, ? extends @Nullable Object> parameters) {
        Parameters values = new Parameters(parameters);
        TokenStream tokens = new TokenStream(Lexer.scan(expression));
        return new SqlAction(expression, values, new ActionParser(tokens, values).parse());
    }

    /**
     * The properties after all statements; each sees the changes of those before.
     *
     * @throws FilterEvaluationException if a statement fails
     */
    public EditedProperties apply(FilterableMessage message) {
        EditedProperties properties = new EditedProperties(message);
        for (Statement statement : statements) {
            statement.edit(properties);
        }
        return properties;
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
