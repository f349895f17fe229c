// The geometry and the colours of all boards: a copy of report/src/board_look.json, which a test
// compares.
// prettier-ignore
export default {
  "geometry": {
    "frame": 14, "point": 44, "bar": 44, "tray": 58, "height": 520, "edge": 24, "long": 196,
    "radius": 20.5, "stack": 5, "barGap": 50, "barStack": 4,
    "piece": 9, "offGap": 42, "trayEnd": 56, "cube": 38, "cubeAway": 217, "die": 42, "dieGap": 8, "pip": 4, "pipStep": 11, "ring": 0.66
  },
  "pips": [[4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]],
  "arrows": { "best": "#067a46", "played": "#c22f10" },
  "themes": {
    "walnut": {
      "frame": "#5a3c27", "rim": "#3d2716", "felt": "#ead9b9", "odd": "#b07a48", "even": "#d3b587", "label": "#f0dfc3",
      "light": ["#fffdf6", "#f5ead2", "#cdb88d", "#8f7a52"], "dark": ["#6a4f44", "#3a2721", "#221410", "#120a07"],
      "lightInk": "#4a3a22", "darkInk": "#f7ead6"
    },
    "baize": {
      "frame": "#4b3222", "rim": "#2f1e13", "felt": "#3f7059", "odd": "#d9c79b", "even": "#9a553f", "label": "#f0e2c8",
      "light": ["#fffdf6", "#f4ead4", "#cbb892", "#8a774f"], "dark": ["#4d5358", "#262b2f", "#14181b", "#08090a"],
      "lightInk": "#44361f", "darkInk": "#f2efe8"
    },
    "slate": {
      "frame": "#333c45", "rim": "#20272e", "felt": "#d5dcdf", "odd": "#7d95a3", "even": "#b0c0c9", "label": "#e7edf0",
      "light": ["#ffffff", "#f4f4f0", "#c9ccca", "#83898c"], "dark": ["#566b7c", "#2c3d4b", "#1a2630", "#0d141a"],
      "lightInk": "#2b3339", "darkInk": "#eef3f6"
    }
  }
};
