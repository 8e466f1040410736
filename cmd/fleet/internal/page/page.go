// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package page makes a page of pictures from an inventory: one HTML file that
// needs nothing else.
package page

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A chart is one picture with its table.
type chart struct {
	Title, About string
	Empty        string // shown if there is nothing
	Unit         string

	query string
	stack bool // rows are label, series, value; otherwise label, value
	draw  func(data) template.HTML

	Data data
	SVG  template.HTML
}

// data is labels with values for each series.
type data struct {
	Labels []string
	Series []string
	Values [][]float64 // by label, then by series
}

// most is how many bars or series a picture has; the rest is one of its own, or
// left out.
const (
	mostBars   = 20
	mostSeries = 6
)

func charts() []*chart {
	return []*chart{
		{Title: "Documents over time", About: "By the day on which they were made or last changed.", Empty: "No document has a time.", Unit: "documents", stack: true, draw: columns,
			query: `SELECT substr(coalesce(d.made, min(s.modified)), 1, 10) AS day, d.kind, 1 AS n FROM documents d JOIN sources s USING (document)
GROUP BY d.document HAVING day IS NOT NULL`},
		{Title: "Changes over time", About: "Planned changes of plans, by the day of planning.", Empty: "There is no plan with a time and changes.", Unit: "changes", stack: true, draw: columns,
			query: `SELECT substr(d.made, 1, 10) AS day, x.action, count(*) FROM changes x JOIN documents d USING (document)
WHERE d.kind = 'plan' AND d.made IS NOT NULL GROUP BY 1, 2`},
		{Title: "Changes by action", About: "Of all plans.", Empty: "There is no plan with changes.", Unit: "changes", draw: bars,
			query: `SELECT x.action, count(*) FROM changes x JOIN documents d USING (document) WHERE d.kind = 'plan' GROUP BY 1 ORDER BY 2 DESC, 1`},
		{Title: "Versions by provider", About: "Workspaces by the version in their lock file, the oldest version first.", Empty: "There is no lock file.", Unit: "workspaces", stack: true, draw: versions,
			query: `SELECT x.provider, coalesce(x.version, '?'), count(DISTINCT s.workspace) FROM lock_entries x JOIN sources s USING (document)
GROUP BY 1, 2 ORDER BY sum(count(DISTINCT s.workspace)) OVER (PARTITION BY x.provider) DESC, x.provider, version_key(x.version)`},
		{Title: "Resource types", About: "Managed objects of states.", Empty: "There is no state with objects.", Unit: "objects", draw: bars,
			query: `SELECT x.type, sum(x.instances) FROM resources x JOIN documents d USING (document) WHERE d.kind = 'state' AND x.mode = 'managed' GROUP BY 1 ORDER BY 2 DESC, 1`},
		{Title: "Slowest types", About: "Mean time of an operation, of streams.", Empty: "There is no stream with operations.", Unit: "seconds", draw: bars,
			query: `SELECT x.type || ', ' || x.action, round(avg(x.milliseconds) / 1000.0, 1) FROM timings x WHERE x.milliseconds IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`},
		{Title: "Slowest resources", About: "Single operations.", Empty: "There is no stream with operations.", Unit: "seconds", draw: bars,
			query: `SELECT x.address || ', ' || x.action, round(max(x.milliseconds) / 1000.0, 1) FROM timings x WHERE x.milliseconds IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`},
		{Title: "Runs by outcome", About: "Of all streams.", Empty: "There is no stream.", Unit: "runs", draw: bars,
			query: `SELECT x.outcome, count(*) FROM runs x GROUP BY 1 ORDER BY 2 DESC, 1`},
	}
}

// A figure is a number at the top of the page.
type figure struct {
	Name  string
	Value int64
}

//go:embed page.html
var source string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"number": number}).Parse(source))

// Write writes the page of an inventory.
func Write(ctx context.Context, w io.Writer, db *sql.DB) error {
	var content struct {
		Figures []figure
		Charts  []*chart
	}
	for _, f := range []struct{ name, query string }{
		{"workspaces", "SELECT count(DISTINCT workspace) FROM sources"},
		{"documents", "SELECT count(*) FROM documents"},
		{"objects in states", "SELECT count(*) FROM instances JOIN documents USING (document) WHERE kind = 'state'"},
		{"planned changes", "SELECT count(*) FROM changes JOIN documents USING (document) WHERE kind = 'plan'"},
		{"failed checks", "SELECT count(*) FROM checks WHERE coalesce(instance_status, status) IN ('fail', 'error')"},
		{"faults", "SELECT count(*) FROM faults"},
	} {
		var n int64
		if err := db.QueryRowContext(ctx, f.query).Scan(&n); err != nil {
			return err
		}
		content.Figures = append(content.Figures, figure{f.name, n})
	}
	for _, c := range charts() {
		if err := c.read(ctx, db); err != nil {
			return fmt.Errorf("%s: %w", c.Title, err)
		}
		if len(c.Data.Labels) > 0 {
			c.SVG = c.draw(c.Data)
		}
		content.Charts = append(content.Charts, c)
	}
	return pageTemplate.Execute(w, content)
}

// read fills the data of a chart.
func (c *chart) read(ctx context.Context, db *sql.DB) error {
	r, err := db.QueryContext(ctx, c.query)
	if err != nil {
		return err
	}
	defer r.Close()
	d := &c.Data
	labels, series := make(map[string]int), make(map[string]int)
	if !c.stack {
		d.Series = []string{c.Unit}
	}
	for r.Next() {
		var label, name string
		var value float64
		to := []any{&label, &name, &value}
		if !c.stack {
			to = []any{&label, &value}
		}
		if err := r.Scan(to...); err != nil {
			return err
		}
		i, ok := labels[label]
		if !ok {
			if i = len(d.Labels); !c.stack && i >= mostBars {
				continue
			}
			labels[label] = i
			d.Labels, d.Values = append(d.Labels, label), append(d.Values, nil)
		}
		j := 0
		if c.stack {
			if j, ok = series[name]; !ok {
				j = len(d.Series)
				series[name] = j
				d.Series = append(d.Series, name)
			}
		}
		for len(d.Values[i]) <= j {
			d.Values[i] = append(d.Values[i], 0)
		}
		d.Values[i][j] += value
	}
	return r.Err()
}

// number writes a number with at most one decimal.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// text escapes a text for SVG and cuts it to a number of characters.
func text(s string, most int) string {
	r := []rune(s)
	if len(r) > most {
		s = "…" + string(r[len(r)-most+1:])
	}
	return template.HTMLEscapeString(s)
}

const width = 760 // of a picture

// figureOf puts an SVG element around a picture.
func figureOf(height int, name, content string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %d %d" role="img" aria-label="%s">%s</svg>`, width, height, template.HTMLEscapeString(name), content))
}

// colour returns the class of what has a name: actions have the same colours wherever they
// are, others that of a series. In "aws_instance, create" the action is the last part.
func colour(name string, series int) string {
	if i := strings.LastIndex(name, ", "); i >= 0 {
		name = name[i+2:]
	}
	switch name {
	case "create", "delete", "update", "read", "replace":
		return name
	case "replace-forget":
		return "replace"
	case "no-op", "forget":
		return fmt.Sprintf("s%d", mostSeries) // pale
	}
	return fmt.Sprintf("s%d", min(series, mostSeries))
}

// bars draws a bar for each label.
func bars(d data) template.HTML {
	top := 0.0
	for _, v := range d.Values {
		top = max(top, v[0])
	}
	var b strings.Builder
	const row, left = 24, 300
	for i, label := range d.Labels {
		v := d.Values[i][0]
		y := i * row
		w := 0.0
		if top > 0 {
			w = v / top * (width - left - 70)
		}
		fmt.Fprintf(&b, `<g><title>%s: %s</title><text x="%d" y="%d" text-anchor="end">%s</text><rect class="%s" x="%d" y="%d" width="%.1f" height="16" rx="2"/><text x="%.1f" y="%d">%s</text></g>`,
			text(label, 1000), number(v), left-8, y+16, text(label, 42), colour(label, 0), left, y+4, max(w, 1), left+w+6, y+16, number(v))
	}
	return figureOf(len(d.Labels)*row+4, "bars: the table below has the numbers", b.String())
}

// columns draws a stack for each label, in the order of the labels, which are days.
func columns(d data) template.HTML {
	order := make([]int, len(d.Labels))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(d.Labels[a], d.Labels[b]) })
	total := func(i int) (sum float64) {
		for _, v := range d.Values[i] {
			sum += v
		}
		return sum
	}
	top := 0.0
	for _, i := range order {
		top = max(top, total(i))
	}
	const height, base, left = 220, 190, 40
	step := float64(width-left) / float64(len(order))
	var b strings.Builder
	fmt.Fprintf(&b, `<line x1="%d" y1="%d" x2="%d" y2="%d"/><text x="%d" y="14" text-anchor="end">%s</text><text x="%d" y="%d" text-anchor="end">0</text>`, left, base, width, base, left-6, number(top), left-6, base)
	every := max(1, int(math.Ceil(90/step)))
	for n, i := range order {
		x, y := left+float64(n)*step, float64(base)
		for j, v := range d.Values[i] {
			if v == 0 || top == 0 {
				continue
			}
			h := v / top * (base - 10)
			y -= h
			fmt.Fprintf(&b, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%s, %s: %s</title></rect>`, colour(d.Series[j], j), x+step*0.1, y, min(step*0.8, 60), h, text(d.Labels[i], 40), text(d.Series[j], 60), number(v))
		}
		if n%every == 0 {
			fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`, x+step*0.1, base+18, text(d.Labels[i], 12))
		}
	}
	return figureOf(height, "columns: the table below has the numbers", b.String()) + legend(d.Series)
}

// legend names the colours of series.
func legend(series []string) template.HTML {
	var b strings.Builder
	b.WriteString(`<p class="legend">`)
	for j, name := range series {
		if j == mostSeries && len(series) > mostSeries+1 {
			fmt.Fprintf(&b, `<span><i class="s%d"></i>%d others</span>`, mostSeries, len(series)-j)
			break
		}
		fmt.Fprintf(&b, `<span><i class="%s"></i>%s</span>`, colour(name, j), text(name, 60))
	}
	b.WriteString("</p>")
	return template.HTML(b.String())
}

// byVersion returns the positions of versions, the oldest first, and what is no
// version before them.
func byVersion(list []string) []int {
	parsed := make([]addrs.Version, len(list))
	order := make([]int, len(list))
	for i, text := range list {
		parsed[i], _ = addrs.ParseVersion(text) // the zero Version comes first
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return parsed[a].Compare(parsed[b]) })
	return order
}

// versions draws a bar for each provider, with a part for each version: the older,
// the darker.
func versions(d data) template.HTML {
	var b strings.Builder
	const row, left = 34, 300
	n := min(len(d.Labels), mostBars)
	for i := range n {
		sum, used := 0.0, 0
		for _, v := range d.Values[i] {
			sum += v
			if v > 0 {
				used++
			}
		}
		y, x, part := i*row, float64(left), 0
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, y+19, text(d.Labels[i], 42))
		for _, j := range byVersion(d.Series[:len(d.Values[i])]) {
			v := d.Values[i][j]
			if v == 0 {
				continue
			}
			w := v / sum * (width - left - 4)
			shade := 1.0
			if used > 1 {
				shade = 1 - 0.75*float64(part)/float64(used-1)
			}
			part++
			fmt.Fprintf(&b, `<g><title>%s %s: %s</title><rect class="s0 edge" fill-opacity="%.2f" x="%.1f" y="%d" width="%.1f" height="24"/>`, text(d.Labels[i], 200), text(d.Series[j], 60), number(v), shade, x, y+3, w)
			if w > float64(8*len(d.Series[j])+8) {
				ink := "ink"
				if shade < 0.6 {
					ink = ""
				}
				fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="%d">%s</text>`, ink, x+5, y+19, text(d.Series[j], 30))
			}
			b.WriteString("</g>")
			x += w
		}
	}
	return figureOf(n*row+4, "parts of bars: the table below has the numbers", b.String())
}
