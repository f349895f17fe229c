//! Answers against the OpenAPI document.

use serde_json::Value;

use super::Answer;

/// What of `value` contradicts a schema of the document; nothing if it conforms.
pub fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().expect("a name");
        return faults(document, &document["components"]["schemas"][name], value, at);
    }
    if let Some(options) = schema["oneOf"].as_array() {
        let fits = options.iter().any(|one| faults(document, one, value, at).is_empty());
        return if fits { Vec::new() } else { vec![format!("{at}: {value} fits no alternative")] };
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => return Vec::new(),
    };
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    if !types.iter().any(|kind| is(kind)) {
        return vec![format!("{at}: {value} is not {types:?}")];
    }
    let mut found = Vec::new();
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        found.push(format!("{at}: {value} is not one of {words:?}"));
    }
    if let Some(entries) = value.as_array() {
        for (i, entry) in entries.iter().enumerate() {
            found.extend(faults(document, &schema["items"], entry, &format!("{at}[{i}]")));
        }
    }
    if let (Some(object), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for (key, entry) in object {
            match known.get(key) {
                Some(schema) => {
                    found.extend(faults(document, schema, entry, &format!("{at}.{key}")))
                }
                None => found.push(format!("{at}: {key} is not described")),
            }
        }
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !object.contains_key(key) {
                found.push(format!("{at}: {key} is missing"));
            }
        }
    }
    found
}

/// Checks an answer against what the document says about it.
pub fn conforms(document: &Value, method: &str, path: &str, answer: &Answer) -> Value {
    let mut described = &document["paths"][path][method]["responses"][answer.status.to_string()];
    if let Some(name) = described["$ref"].as_str() {
        let name = name.rsplit('/').next().expect("a name");
        described = &document["components"]["responses"][name];
    }
    assert!(
        described.is_object(),
        "{method} {path} {} is not described: {}",
        answer.status,
        answer.text()
    );
    let Some(schema) = described["content"]["application/json"].get("schema") else {
        return Value::Null;
    };
    let value = answer.json();
    let found = faults(document, schema, &value, path);
    assert!(found.is_empty(), "{found:#?}");
    value
}
